import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseConfig, settingNames, toPortalUrl } from './config.ts'

describe('parseConfig', () => {
  it('has a default for every setting', () => {
    expect(parseConfig({})).toMatchObject({
      production: false,
      port: 4000,
      host: 'localhost',
      databaseUrl: undefined,
      demoData: true,
      productName: 'Podkeeper',
      businessTimeZone: 'Africa/Johannesburg',
      qrTemplate: '{origin}/qr?bookingId={bookingId}',
      corsOrigins: [],
      sessionHours: 12,
      sessionIdleMs: 7_200_000,
      drainMs: 0,
      loginAttempts: 10,
      keyRequests: 600,
      staffChanges: 30_000,
    })
  })

  it('has every setting in .env.example, with its default', () => {
    const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
    const listed = parseEnv(example) as Record<string, string>
    expect(settingNames.filter((name) => !(name in listed) && name !== 'NODE_ENV')).toEqual([])
    expect(parseConfig(listed)).toEqual(parseConfig({}))
  })

  it('treats an empty setting as absent', () => {
    expect(parseConfig({ PORT: '', DATABASE_URL: '', SECRET_KEY: '', CORS_ORIGINS: '' })).toEqual(parseConfig({}))
  })

  it('requires MAIL_FROM when SMTP_URL is set', () => {
    const SMTP_URL = 'smtps://user:password@smtp.example.com'
    expect(() => parseConfig({ SMTP_URL })).toThrow('MAIL_FROM is required with SMTP_URL')
    expect(() => parseConfig({ SMTP_URL: 'https://smtp.example.com', MAIL_FROM: 'a@example.com' })).toThrow('SMTP_URL')
    const config = parseConfig({ SMTP_URL, MAIL_FROM: 'a@example.com' })
    expect(config.smtp).toEqual({ url: SMTP_URL, from: 'a@example.com' })
    expect(parseConfig({ MAIL_FROM: 'a@example.com' }).smtp).toBeUndefined()
  })

  it('requires either all S3 settings or none', () => {
    const S3_ENDPOINT = 'https://s3.af-south-1.amazonaws.com/'
    expect(() => parseConfig({ S3_BUCKET: 'Pods', S3_ENDPOINT })).toThrow(
      /S3_BUCKET must be the name of a bucket[^]*S3_ACCESS_KEY_ID is required for images in S3[^]*S3_SECRET_ACCESS_KEY is required/,
    )
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret', S3_BUCKET: 'pods' }
    expect(() => parseConfig({ ...keys })).toThrow('S3_ENDPOINT is required')
    expect(() => parseConfig({ ...keys, S3_ENDPOINT, S3_PREFIX: '../other' })).toThrow('S3_PREFIX')
    const secret = { accessKeyId: 'id', secretAccessKey: 'secret' }
    const place = { endpoint: 'https://s3.af-south-1.amazonaws.com', bucket: 'pods' }
    expect(parseConfig({ ...keys, S3_ENDPOINT, S3_PREFIX: 'a/b' }).s3).toEqual({
      ...place,
      ...secret,
      region: 'us-east-1',
      prefix: 'a/b/',
    })
    expect(parseConfig({ S3_REGION: 'af-south-1' }).s3).toBeUndefined()
  })

  it('turns demo data off for PostgreSQL unless DEMO_DATA is on', () => {
    const DATABASE_URL = 'postgres://localhost/podkeeper'
    expect(parseConfig({ DATABASE_URL }).demoData).toBe(false)
    expect(parseConfig({ DATABASE_URL, DEMO_DATA: 'on' }).demoData).toBe(true)
    expect(parseConfig({ DEMO_DATA: 'off' }).demoData).toBe(false)
  })

  it('lists every problem at once', () => {
    const parse = () =>
      parseConfig({
        PORT: '99999',
        DATABASE_URL: 'mysql://localhost/x',
        ADMIN_EMAIL: 'nobody',
        ADMIN_PASSWORD: 'short',
        BUSINESS_TIME_ZONE: 'Africa/Atlantis',
        CORS_ORIGINS: 'https://good.example.com, nonsense',
        DEMO_DATA: 'yes',
        NODE_ENV: 'prod',
      })
    for (const line of [
      'PORT must be between 0 and 65535',
      'DATABASE_URL must be a URL that begins with postgres://',
      'ADMIN_EMAIL must be an email address',
      'ADMIN_PASSWORD needs at least 10 characters',
      'BUSINESS_TIME_ZONE must be a time zone such as Africa/Johannesburg',
      'CORS_ORIGINS "nonsense" is not an origin',
      'DEMO_DATA must be on or off',
      'NODE_ENV must be development, production or test',
    ]) {
      expect(parse).toThrow(line)
    }
  })

  it('lists what is missing or does not fit too, whichever setting is wrong by itself', () => {
    const parse = (env: Record<string, string>) => () =>
      parseConfig({ NODE_ENV: 'production', SECRET_KEY: 'short', SMTP_URL: 'smtp://mail.example.com', ...env })
    for (const env of [{ PORT: 'many' }, { TRUST_PROXY: 'on' }, { CORS_ORIGINS: 'nonsense' }, { LOG_LEVEL: 'loud' }]) {
      const [name = ''] = Object.keys(env)
      for (const line of [name, 'SECRET_KEY needs', 'PUBLIC_URL is required', 'MAIL_FROM is required with SMTP_URL'])
        expect(parse(env)).toThrow(`\n  ${line}`)
      expect(parse(env)).not.toThrow('SECRET_KEY is required')
    }
  })

  it.each([
    ['ninechars', 'needs at least 10 characters'],
    ['password123', 'is one of those that are guessed first'],
    ['Password1!', 'is one of those that are guessed first'],
    ['Lerato@Example.com', 'must not be the email address'],
    ['lerato-2026', 'must not be the email address'],
    ['Roomkeeper1', 'must not be the name Roomkeeper'],
  ])('refuses a weak ADMIN_PASSWORD with the reason: %s', (ADMIN_PASSWORD, problem) => {
    const parse = (password: string) =>
      parseConfig({ ADMIN_PASSWORD: password, ADMIN_EMAIL: 'lerato@example.com', PRODUCT_NAME: 'Roomkeeper' })
    expect(() => parse(ADMIN_PASSWORD)).toThrow(/^The settings are not right:\n {2}ADMIN_PASSWORD [^\n]+\nSee/)
    expect(() => parse(ADMIN_PASSWORD)).toThrow(`ADMIN_PASSWORD ${problem}`)
    expect(parse('a password of ours').adminPassword).toBe('a password of ours')
  })

  it.each([
    ['off', false],
    ['', false],
    ['0', 0],
    ['1', 1],
    ['127.0.0.1', ['127.0.0.1']],
    ['10.0.0.0/8, ::1,fd00::/8', ['10.0.0.0/8', '::1', 'fd00::/8']],
  ])('reads the trusted proxies from TRUST_PROXY %j', (TRUST_PROXY, expected) => {
    expect(parseConfig({ TRUST_PROXY }).trustProxy).toEqual(expected)
  })

  it.each(['on', 'true', 'loopback', '-1', '1.5', '11', '10.0.0.0/33', '10.0.0.1,', '0.0.0.0/0', '::/0', '1,10.0.0.1'])(
    'refuses TRUST_PROXY %j, and lists the allowed values',
    (TRUST_PROXY) => {
      expect(() => parseConfig({ TRUST_PROXY })).toThrow(
        'TRUST_PROXY must be off, the number of proxies in front of the server (1 for one nginx, at most 10), or their addresses and networks',
      )
    },
  )

  it('refuses a QR_TEMPLATE with a field that does not exist, and lists those that do', () => {
    const parse = (QR_TEMPLATE: string) => parseConfig({ QR_TEMPLATE }).qrTemplate
    expect(() => parse('{orgin}/qr?bookingId={bookingId}&{x}')).toThrow(
      'QR_TEMPLATE has no field {orgin} {x}. The fields are {origin} {bookingId} {podId}',
    )
    expect(parse('{"id":"{bookingId}","from":{startUnix}} {}')).toBe('{"id":"{bookingId}","from":{startUnix}} {}')
  })

  it('requires SECRET_KEY and PUBLIC_URL in production', () => {
    const production = {
      NODE_ENV: 'production',
      SECRET_KEY: 'sixteen characters',
      PUBLIC_URL: 'https://pods.example.com',
    }
    expect(() => parseConfig({ ...production, SECRET_KEY: '' })).toThrow('SECRET_KEY is required in production')
    expect(() => parseConfig({ ...production, PUBLIC_URL: '' })).toThrow('PUBLIC_URL is required in production')
    expect(parseConfig(production).production).toBe(true)
  })

  it('requires no SECRET_KEY and no PUBLIC_URL for a terminal command, which does not listen', () => {
    expect(parseConfig({ NODE_ENV: 'production', HOST: '0.0.0.0' }, { listens: false }).production).toBe(true)
  })

  it.each(['0.0.0.0', '::', '192.168.1.20', 'pods.example.com', '10.0.0.1', '::ffff:10.0.0.1'])(
    'requires SECRET_KEY when other machines can reach the server: HOST %s',
    (HOST) => {
      expect(() => parseConfig({ HOST })).toThrow(`SECRET_KEY is required when HOST is ${HOST}`)
      expect(parseConfig({ HOST, SECRET_KEY: 'sixteen characters' }).host).toBe(HOST)
    },
  )

  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])(
    'requires no SECRET_KEY when only this machine can reach the server: HOST %s',
    (HOST) => {
      expect(parseConfig({ HOST }).host).toBe(HOST)
    },
  )

  it('looks new passwords up among breached ones in production, unless BREACHED_PASSWORDS_URL is off', () => {
    const production = {
      NODE_ENV: 'production',
      SECRET_KEY: 'sixteen characters',
      PUBLIC_URL: 'https://pods.example.com',
    }
    const read = (settings: Record<string, string>) => parseConfig(settings).breachedPasswordsUrl
    expect(read(production)).toBe('https://api.pwnedpasswords.com')
    expect(read({ ...production, BREACHED_PASSWORDS_URL: 'off' })).toBeUndefined()
    expect(read({})).toBeUndefined()
    expect(read({ BREACHED_PASSWORDS_URL: 'http://localhost:8000' })).toBe('http://localhost:8000')
    expect(() => read({ BREACHED_PASSWORDS_URL: 'on' })).toThrow('BREACHED_PASSWORDS_URL must be off, or a URL')
  })

  it('turns demo data off in production unless DEMO_DATA is on', () => {
    const production = {
      NODE_ENV: 'production',
      SECRET_KEY: 'sixteen characters',
      PUBLIC_URL: 'https://pods.example.com',
    }
    expect(parseConfig(production).demoData).toBe(false)
    expect(parseConfig({ ...production, DEMO_DATA: 'on' }).demoData).toBe(true)
  })

  it.each(['localhost:3000', 'app.example.com', 'file:///srv/app', 'null', 'https://app.example.com/admin'])(
    'refuses %s in CORS_ORIGINS, which browsers would never send as the origin of a page',
    (origin) => {
      expect(() => parseConfig({ CORS_ORIGINS: `https://a.example.com ${origin}` })).toThrow(
        `CORS_ORIGINS "${origin}" is not an origin such as https://app.example.com`,
      )
    },
  )

  it.each(['DATA_DIR', 'BACKUP_TO'])('refuses ~ in %s, which no shell has replaced', (name) => {
    expect(() => parseConfig({ [name]: '~/podkeeper' })).toThrow(
      `${name} must not begin with ~, which only a shell replaces`,
    )
  })

  it.each(['+02:00', '-05', '+0200'])(
    'refuses the offset %s as BUSINESS_TIME_ZONE, which the database reads the other way round',
    (BUSINESS_TIME_ZONE) => {
      expect(() => parseConfig({ BUSINESS_TIME_ZONE })).toThrow('BUSINESS_TIME_ZONE must be a time zone')
    },
  )

  it('reads BUSINESS_TIME_ZONE in small letters, which calendar files would not know', () => {
    expect(parseConfig({ BUSINESS_TIME_ZONE: 'africa/johannesburg' }).businessTimeZone).toBe('Africa/Johannesburg')
    expect(parseConfig({ BUSINESS_TIME_ZONE: 'Asia/Kolkata' }).businessTimeZone).toBe('Asia/Kolkata')
  })

  it.each(['pods.example.com', 'http://pods example.com'])('names PUBLIC_URL when it is %s, no URL', (PUBLIC_URL) => {
    expect(() => parseConfig({ PUBLIC_URL, PORT: 'many' })).toThrow(
      /\n {2}PUBLIC_URL [^]*\n {2}PORT |\n {2}PORT [^]*\n {2}PUBLIC_URL /,
    )
  })

  it.each(['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL', 'SMTP_URL'])(
    'says how a sign in the password of %s is written',
    (name) => {
      const url = `${name === 'SMTP_URL' ? 'smtps' : 'postgres'}://podkeeper:half#of/it@example.com`
      const parse = () => parseConfig({ [name]: url })
      expect(parse).toThrow(`\n  ${name} is not well-formed: in a user name or password write # as %23`)
      expect(parse).not.toThrow('half')
    },
  )

  it.each(['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'])('requires DATABASE_URL with %s', (name) => {
    expect(() => parseConfig({ [name]: 'postgres://localhost/podkeeper' })).toThrow(
      `DATABASE_URL is required with ${name}`,
    )
  })

  it.each(['2', '-1', 'half', ' '])('refuses %j as OTEL_TRACES_SAMPLER_ARG', (OTEL_TRACES_SAMPLER_ARG) => {
    expect(() => parseConfig({ OTEL_TRACES_SAMPLER_ARG })).toThrow(
      'OTEL_TRACES_SAMPLER_ARG must be a number between 0 and 1',
    )
  })

  it.each(['https://pods.example.com/admin', 'https://pods.example.com/?a=1', 'https://pods.example.com/#a'])(
    'refuses %s as PUBLIC_URL, where the portal would not be found',
    (PUBLIC_URL) => {
      expect(() => parseConfig({ PUBLIC_URL })).toThrow('PUBLIC_URL must not have a path')
    },
  )

  it('reads CORS_ORIGINS separated by commas or spaces, without trailing slashes', () => {
    expect(parseConfig({ CORS_ORIGINS: 'https://a.example.com/, http://b.example.com:81 *' }).corsOrigins).toEqual([
      'https://a.example.com',
      'http://b.example.com:81',
      '*',
    ])
  })
})

describe('the address of the portal', () => {
  it('is PUBLIC_URL', () => {
    expect(toPortalUrl(parseConfig({ PUBLIC_URL: 'https://pods.example.com/', PORT: '4100' }))).toBe(
      'https://pods.example.com',
    )
  })

  it.each([
    ['localhost', 'http://localhost:4100'],
    ['127.0.0.1', 'http://127.0.0.1:4100'],
    ['::1', 'http://[::1]:4100'],
    // Browsers cannot open these addresses.
    ['0.0.0.0', 'http://localhost:4100'],
    ['::', 'http://localhost:4100'],
  ])('is built from HOST and PORT when PUBLIC_URL is not set: HOST %s', (HOST, url) => {
    expect(toPortalUrl(parseConfig({ HOST, PORT: '4100', SECRET_KEY: 'sixteen characters' }))).toBe(url)
  })
})
