import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { findPasswordProblem } from '#contract/password-rules.ts'
import { commonPasswords } from './modules/auth/common-passwords.ts'
import { listUnknownFields, QR_FIELDS } from './modules/bookings/qr-text.ts'
import type { S3Settings } from './storage/s3-bucket.ts'

/** Treats an empty setting as absent: `.env` files and compose files produce empty ones. */
const optional = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === '' ? undefined : value), schema)

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: 'must be a whole number' })
    .transform(Number)
    .refine((number) => number >= min && number <= max, { error: `must be between ${min} and ${max}` })

const oneOf = <const T extends readonly [string, string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}` })

const switchSetting = oneOf('on', 'off')

/** A URL with one of these protocols. Those that hold a password are often not well-formed because of a sign in it. */
const urlOf = (protocol: RegExp, beginning: string) =>
  z.url({
    protocol,
    abort: true,
    error: ({ input }) =>
      protocol.test(String(input).split('://')[0] ?? '')
        ? 'is not well-formed: in a user name or password write # as %23, / as %2F, ? as %3F and % as %25'
        : `must be a URL that begins with ${beginning}`,
  })

const databaseUrl = urlOf(/^postgres(ql)?$/, 'postgres://')
const webUrl = urlOf(/^https?$/, 'http:// or https://')

/** An address without a path, as the portal works only at the root of its host. */
const portalUrl = webUrl
  .refine((url) => new URL('/', url).href === new URL(url).href, {
    error: 'must not have a path: the portal works only at the root of its host',
  })
  .transform((url) => new URL(url).origin)

const urlOrOff = z.string().refine((text) => text === 'off' || webUrl.safeParse(text).success, {
  error: 'must be off, or a URL that begins with http:// or https://',
})

const timeZone = z
  .string()
  .refine(isTimeZone, { error: 'must be a time zone such as Africa/Johannesburg' })
  // Calendar files look the name up, and not in small letters.
  .transform((name) => {
    const { timeZone: canonical } = Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return canonical.toLowerCase() === name.toLowerCase() ? canonical : name
  })

function isTimeZone(name: string): boolean {
  // Newer versions of Node know +02:00 too, which PostgreSQL reads as two hours behind UTC.
  if (/^[+-]/.test(name)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

const origins = z.string().transform((text, ctx) => {
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((origin) => {
      if (origin === '*') return origin
      if (webUrl.safeParse(origin).success) {
        const url = new URL(origin)
        if (url.href === `${url.origin}/`) return url.origin
      }
      ctx.addIssue({ code: 'custom', message: `"${origin}" is not an origin such as https://app.example.com` })
      return z.NEVER
    })
})

const bucketName = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
  error: 'must be the name of a bucket: 3 to 63 small letters, digits, - and .',
})

/** Adds a slash at the end unless there is one. */
const keyPrefix = z
  .string()
  .regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/, {
    error: 'must be letters, digits and signs of -_. with / between them',
  })
  .transform((text) => text.replace(/\/?$/, '/'))

const path = z
  .string()
  .refine((text) => !text.startsWith('~'), { error: 'must not begin with ~, which only a shell replaces' })

const backupTarget = path
  .refine((text) => !text.includes('://') || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w.-]+)*\/?$/.test(text), {
    error: 'must be a folder, or s3://bucket/prefix',
  })
  .transform((text) => (text.includes('://') ? text : resolve(text)))

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day such as 02:30' })

/** A misspelt field would stand in the codes of all bookings as it is, and no door would open. */
const qrTemplate = z
  .string()
  .max(1000, { error: 'may have at most 1000 characters' })
  .refine((text) => listUnknownFields(text).length === 0, {
    error: ({ input }) =>
      `has no field ${toNames(listUnknownFields(String(input)))}. The fields are ${toNames(QR_FIELDS)}`,
  })

function toNames(fields: readonly string[]): string {
  return fields.map((name) => `{${name}}`).join(' ')
}

const MOST_PROXIES = 10
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
// A network of all addresses would trust whatever address a client claims.
const proxies = z.array(network.refine((text) => !text.endsWith('/0'))).min(1)

/**
 * The proxies whose X-Forwarded-For is trusted: none, a number of proxies in front of the server, or their addresses.
 */
const trustProxy = z.string().transform((text, ctx): false | number | string[] => {
  if (text === 'off') return false
  if (/^\d+$/.test(text) && Number(text) <= MOST_PROXIES) return Number(text)
  const list = proxies.safeParse(text.split(',').map((part) => part.trim()))
  if (list.success) return list.data
  ctx.addIssue({
    code: 'custom',
    message: `must be off, the number of proxies in front of the server (1 for one nginx, at most ${MOST_PROXIES}), or their addresses and networks, separated by commas (10.0.0.5, 10.1.0.0/16, fd00::/8); "${text}" is none of them`,
  })
  return z.NEVER
})

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether only this machine can connect to `host`. A name other than localhost may resolve to any address. */
function isLoopback(host: string): boolean {
  const version = isIP(host)
  return version === 0 ? host.toLowerCase() === 'localhost' : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4')
}

const s3Names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

const Settings = z
  .object({
    NODE_ENV: optional(oneOf('development', 'production', 'test').default('development')),
    PORT: optional(wholeNumber(0, 65_535).default(4000)),
    HOST: optional(z.string().default('localhost')),
    DATA_DIR: optional(path.default('./data').transform((text) => resolve(text))),
    DATABASE_URL: optional(databaseUrl.optional()),
    DATABASE_DIRECT_URL: optional(databaseUrl.optional()),
    DATABASE_READ_URL: optional(databaseUrl.optional()),
    DATABASE_POOL_SIZE: optional(wholeNumber(1, 500).default(10)),
    S3_ENDPOINT: optional(webUrl.transform((url) => url.replace(/\/+$/, '')).optional()),
    S3_REGION: optional(z.string().default('us-east-1')),
    S3_BUCKET: optional(bucketName.optional()),
    S3_ACCESS_KEY_ID: optional(z.string().optional()),
    S3_SECRET_ACCESS_KEY: optional(z.string().optional()),
    S3_PREFIX: optional(keyPrefix.default('')),
    BACKUP_TO: optional(backupTarget.optional()),
    BACKUP_AT: optional(timeOfDay.default('02:30')),
    BACKUP_KEEP_DAYS: optional(wholeNumber(1, 3_660).default(14)),
    BACKUP_KEEP_MONTHS: optional(wholeNumber(0, 1_200).default(12)),
    ERASE_DELETED_CUSTOMERS_DAYS: optional(wholeNumber(1, 36_500).optional()),
    ADMIN_EMAIL: optional(z.email({ error: 'must be an email address' }).default('admin@podkeeper.example')),
    ADMIN_PASSWORD: optional(z.string().optional()),
    DEMO_DATA: optional(switchSetting.optional()),
    BREACHED_PASSWORDS_URL: optional(urlOrOff.optional()),
    SECRET_KEY: optional(z.string().min(16, { error: 'needs at least 16 characters' }).optional()),
    PUBLIC_URL: optional(portalUrl.optional()),
    CORS_ORIGINS: optional(origins.default([])),
    TRUST_PROXY: optional(trustProxy.prefault('off')),
    DRAIN_SECONDS: optional(wholeNumber(0, 300).default(0)),
    SESSION_HOURS: optional(wholeNumber(1, 24 * 90).default(12)),
    SESSION_IDLE_MINUTES: optional(wholeNumber(5, 60 * 24 * 90).default(120)),
    LOGIN_ATTEMPTS: optional(wholeNumber(1, 100_000).default(10)),
    API_KEY_REQUESTS: optional(wholeNumber(1, 1_000_000).default(600)),
    STAFF_CHANGES: optional(wholeNumber(1, 1_000_000).default(30_000)),
    LOG_LEVEL: optional(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info')),
    LOG_FORMAT: optional(oneOf('auto', 'pretty', 'json').default('auto')),
    // These names are from the OpenTelemetry specification.
    OTEL_EXPORTER_OTLP_ENDPOINT: optional(webUrl.optional()),
    OTEL_TRACES_SAMPLER_ARG: optional(
      z
        .string()
        .regex(/^([01]|0?\.\d+|1\.0+)$/, { error: 'must be a number between 0 and 1' })
        .transform(Number)
        .default(1),
    ),
    METRICS_TOKEN: optional(
      z
        .string()
        .regex(/^[\w.~+/=-]{16,200}$/, { error: 'needs 16 to 200 letters, digits or signs of -._~+/=' })
        .optional(),
    ),
    SMTP_URL: optional(urlOf(/^smtps?$/, 'smtp:// or smtps://').optional()),
    MAIL_FROM: optional(z.email({ error: 'must be an email address' }).optional()),
    WEBHOOK_PRIVATE_ADDRESSES: optional(switchSetting.default('off')),
    PRODUCT_NAME: optional(z.string().max(60, { error: 'may have at most 60 characters' }).default('Podkeeper')),
    BUSINESS_TIME_ZONE: optional(timeZone.default('Africa/Johannesburg')),
    QR_TEMPLATE: optional(qrTemplate.default('{origin}/qr?bookingId={bookingId}')),
    APP_STORE_URL: optional(webUrl.optional()),
    PLAY_STORE_URL: optional(webUrl.optional()),
  })
  .superRefine((settings, ctx) => {
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, PRODUCT_NAME: productName } = settings
    const add = (name: keyof typeof settings, message: string) =>
      ctx.addIssue({ code: 'custom', path: [name], message })
    const problem = password && findPasswordProblem(password, { email, productName, common: commonPasswords() })
    if (problem) add('ADMIN_PASSWORD', problem)
    if (settings.SMTP_URL !== undefined && settings.MAIL_FROM === undefined) {
      add('MAIL_FROM', 'is required with SMTP_URL: mails come from it')
    }
    if (settings.DATABASE_READ_URL !== undefined && settings.DATABASE_URL === undefined) {
      add('DATABASE_URL', 'is required with DATABASE_READ_URL, its replica')
    }
    if (settings.DATABASE_DIRECT_URL !== undefined && settings.DATABASE_URL === undefined) {
      add('DATABASE_URL', 'is required with DATABASE_DIRECT_URL: it is the URL of the pooler')
    }
    const isBackupInS3 = isInS3(settings.BACKUP_TO)
    const isS3Begun = isBackupInS3 || s3Names.some((name) => settings[name] !== undefined)
    // BACKUP_TO names its own bucket, so backups need no S3_BUCKET.
    const needed = s3Names.filter((name) => !(isBackupInS3 && name === 'S3_BUCKET'))
    for (const name of needed) {
      if (!isS3Begun || settings[name] !== undefined) continue
      add(name, `is required for ${isBackupInS3 ? 'backups' : 'images'} in S3, with ${needed.join(', ')}`)
    }
  })

/** Adds what only the server requires, because others can connect to it; terminal commands do not listen. */
const ServerSettings = Settings.superRefine((settings, ctx) => {
  const isProduction = settings.NODE_ENV === 'production'
  const require = (name: 'SECRET_KEY' | 'PUBLIC_URL', message: string) => {
    if (settings[name] === undefined) ctx.addIssue({ code: 'custom', path: [name], message })
  }
  if (isProduction) {
    require('SECRET_KEY', 'is required in production: it encrypts stored secrets, such as device passwords')
    require('PUBLIC_URL', 'is required in production: links in QR codes begin with it')
  } else if (!isLoopback(settings.HOST)) {
    require('SECRET_KEY', `is required when HOST is ${settings.HOST}, where other machines can reach it: it encrypts stored secrets, such as device passwords`)
  }
})

export type Config = ReturnType<typeof toConfig>

function toConfig(settings: z.infer<typeof Settings>) {
  return {
    production: settings.NODE_ENV === 'production',
    port: settings.PORT,
    host: settings.HOST,
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    databaseDirectUrl: settings.DATABASE_DIRECT_URL,
    databaseReadUrl: settings.DATABASE_READ_URL,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    s3: toS3(settings),
    s3Store: toS3Store(settings),
    backup: settings.BACKUP_TO === undefined ? undefined : toBackup(settings, settings.BACKUP_TO),
    eraseDeletedCustomersDays: settings.ERASE_DELETED_CUSTOMERS_DAYS,
    adminEmail: settings.ADMIN_EMAIL.toLowerCase(),
    adminPassword: settings.ADMIN_PASSWORD,
    demoData: settings.DEMO_DATA === undefined ? isForTrying(settings) : settings.DEMO_DATA === 'on',
    breachedPasswordsUrl: toBreachedPasswordsUrl(settings),
    secretKey: settings.SECRET_KEY,
    publicUrl: settings.PUBLIC_URL,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    drainMs: settings.DRAIN_SECONDS * 1_000,
    sessionHours: settings.SESSION_HOURS,
    sessionIdleMs: settings.SESSION_IDLE_MINUTES * 60_000,
    loginAttempts: settings.LOGIN_ATTEMPTS,
    keyRequests: settings.API_KEY_REQUESTS,
    staffChanges: settings.STAFF_CHANGES,
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT,
    metricsToken: settings.METRICS_TOKEN,
    tracing:
      settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : { endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: settings.OTEL_TRACES_SAMPLER_ARG },
    smtp:
      settings.SMTP_URL !== undefined && settings.MAIL_FROM !== undefined
        ? { url: settings.SMTP_URL, from: settings.MAIL_FROM }
        : undefined,
    webhookPrivateAddresses: settings.WEBHOOK_PRIVATE_ADDRESSES === 'on',
    productName: settings.PRODUCT_NAME,
    businessTimeZone: settings.BUSINESS_TIME_ZONE,
    qrTemplate: settings.QR_TEMPLATE,
    appStoreUrl: settings.APP_STORE_URL,
    playStoreUrl: settings.PLAY_STORE_URL,
  }
}

/** Passwords that protect real data are looked up by default; a first look sends nothing to anybody. */
function toBreachedPasswordsUrl(settings: z.infer<typeof Settings>): string | undefined {
  const { BREACHED_PASSWORDS_URL: url, NODE_ENV } = settings
  if (url !== undefined) return url === 'off' ? undefined : url
  return NODE_ENV === 'production' ? 'https://api.pwnedpasswords.com' : undefined
}

function toS3(settings: z.infer<typeof Settings>): S3Settings | undefined {
  const { S3_BUCKET: bucket, S3_PREFIX: prefix } = settings
  const store = toS3Store(settings)
  return store && bucket ? { ...store, bucket, prefix } : undefined
}

/** Returns the address and access keys of the store, without a bucket. */
function toS3Store(settings: z.infer<typeof Settings>): Omit<S3Settings, 'bucket' | 'prefix'> | undefined {
  const { S3_ENDPOINT: endpoint, S3_REGION: region } = settings
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  if (!endpoint || !accessKeyId || !secretAccessKey) return undefined
  return { endpoint, region, accessKeyId, secretAccessKey }
}

const isInS3 = (target: string | undefined) => target?.startsWith('s3://') ?? false

function toBackup(settings: z.infer<typeof Settings>, to: string) {
  const keep = { days: settings.BACKUP_KEEP_DAYS, months: settings.BACKUP_KEEP_MONTHS }
  return { to, at: settings.BACKUP_AT, keep }
}

/** Whether demo data is loaded by default: for a first look, but not into a database that will hold real data. */
function isForTrying(settings: z.infer<typeof Settings>): boolean {
  return settings.NODE_ENV !== 'production' && settings.DATABASE_URL === undefined
}

/**
 * Returns the portal's address, without a trailing slash. Never taken from a request, because a client chooses the Host
 * header.
 */
export function toPortalUrl(config: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (config.publicUrl !== undefined) return config.publicUrl
  const isEverywhere = config.host === '0.0.0.0' || config.host === '::'
  const host = isEverywhere ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host
  return `http://${host}:${config.port}`
}

/** Parses the environment; throws an Error whose message lists every setting that is wrong. */
export function parseConfig(env: Record<string, string | undefined>, { listens = true } = {}): Config {
  const schema = listens ? ServerSettings : Settings
  const result = schema.safeParse(env)
  if (result.success) return toConfig(result.data)
  const { issues } = result.error
  // Some wrong settings keep the schema from comparing the others, so these are parsed once more without them.
  const wrong = new Set(issues.map(({ path: [name] }) => name))
  const others = schema.safeParse(Object.fromEntries(Object.entries(env).filter(([name]) => !wrong.has(name))))
  const more = others.error?.issues.filter(({ path: [name] }) => !wrong.has(name)) ?? []
  const problems = [...issues, ...more].map((issue) => `  ${issue.path.join('.')} ${issue.message}`)
  throw new Error(`The settings are not right:\n${problems.join('\n')}\nSee .env.example for what each one means.`)
}

/** The names of all settings that the server reads. */
export const settingNames: readonly string[] = Object.keys(Settings.shape)
