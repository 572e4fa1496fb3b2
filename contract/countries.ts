/** Countries by their ISO 3166 alpha-2 code, and by the other names that people write. */

/** ISO 3166-1 codes; the names come from Intl.DisplayNames. */
const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD ' +
  'CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF ' +
  'GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN ' +
  'KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA ' +
  'NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI ' +
  'SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI ' +
  'VN VU WF WS YE YT ZA ZM ZW'

export const COUNTRY_CODES: readonly string[] = codes.split(' ')

const names = new Intl.DisplayNames('en', { type: 'region' })

/** Returns the English name of a country, or the code itself when it is unknown. */
export function toCountryName(code: string): string {
  return names.of(code) ?? code // a known code always has a name; the types cannot tell
}

/** Other names in use, in the form that `toWords` returns. */
const otherNames: Record<string, string> = {
  AE: 'uae',
  AX: 'aland',
  BN: 'brunei darussalam',
  BO: 'plurinational state of bolivia',
  BS: 'bahamas',
  CD: 'dr congo|drc|democratic republic of congo|democratic republic of the congo|zaire',
  CG: 'congo|republic of congo|republic of the congo|congo republic',
  CI: 'ivory coast|cote divoire',
  CN: 'prc|peoples republic of china',
  CV: 'cape verde|cabo verde',
  CZ: 'czech republic|czechia',
  FK: 'falklands',
  FM: 'federated states of micronesia',
  GB: 'uk|gbr|great britain|britain|england|scotland|wales|northern ireland',
  GM: 'gambia',
  HK: 'hong kong',
  IE: 'republic of ireland|eire',
  IR: 'islamic republic of iran',
  KP: 'dprk',
  KR: 'korea|republic of korea',
  LA: 'lao pdr|lao',
  MD: 'republic of moldova',
  MK: 'macedonia',
  MM: 'myanmar|burma',
  MO: 'macao|macau',
  NL: 'holland',
  PS: 'palestine|state of palestine',
  RU: 'russian federation',
  SH: 'st helena ascension and tristan da cunha',
  ST: 'sao tome and principe',
  SY: 'syrian arab republic',
  SZ: 'swaziland|eswatini',
  TL: 'east timor|timor leste',
  TR: 'turkey|turkiye',
  TZ: 'united republic of tanzania',
  US: 'usa|united states of america|america',
  VA: 'vatican|holy see',
  VE: 'bolivarian republic of venezuela',
  VN: 'viet nam',
  ZA: 'rsa|zaf|republic of south africa|suid afrika',
}

/** Telephone codes of a single country, or of one and its territories. */
const dialCodes =
  '20EG 27ZA 30GR 31NL 32BE 33FR 34ES 36HU 39IT 40RO 41CH 43AT 44GB 45DK 46SE 47NO 48PL 49DE 51PE 52MX 53CU 54AR 55BR 56CL ' +
  '57CO 58VE 60MY 61AU 62ID 63PH 64NZ 65SG 66TH 81JP 82KR 84VN 86CN 90TR 91IN 92PK 93AF 94LK 95MM 98IR 211SS 212MA 213DZ ' +
  '216TN 218LY 220GM 221SN 222MR 223ML 224GN 225CI 226BF 227NE 228TG 229BJ 230MU 231LR 232SL 233GH 234NG 235TD 236CF 237CM ' +
  '238CV 239ST 240GQ 241GA 242CG 243CD 244AO 245GW 248SC 249SD 250RW 251ET 252SO 253DJ 254KE 255TZ 256UG 257BI 258MZ 260ZM ' +
  '261MG 263ZW 264NA 265MW 266LS 267BW 268SZ 269KM 291ER 297AW 298FO 299GL 350GI 351PT 352LU 353IE 354IS 355AL 356MT 357CY ' +
  '358FI 359BG 370LT 371LV 372EE 373MD 374AM 375BY 376AD 377MC 378SM 380UA 381RS 382ME 385HR 386SI 387BA 389MK 420CZ 421SK ' +
  '423LI 501BZ 502GT 503SV 504HN 505NI 506CR 507PA 509HT 591BO 592GY 593EC 595PY 597SR 598UY 673BN 675PG 676TO 677SB 678VU ' +
  '679FJ 685WS 686KI 852HK 853MO 855KH 856LA 880BD 886TW 960MV 961LB 962JO 963SY 964IQ 965KW 966SA 967YE 968OM 970PS 971AE ' +
  '972IL 973BH 974QA 975BT 976MN 977NP 992TJ 993TM 994AZ 995GE 996KG 998UZ'

/** Returns the text in lower case without accents, with single spaces between words, and 'Saint' and '&' normalised. */
function toWords(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’.]/g, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}]+/gu, ' ')
    .replace(/\bsaint\b/g, 'st')
    .replace(/^\s*the /, '')
    .trim()
}

type Spellings = { names: Map<string, string>; dialCodes: Map<string, string> }
let spellings: Spellings | undefined

function getSpellings(): Spellings {
  spellings ??= {
    names: new Map([
      ...COUNTRY_CODES.map((code) => [toWords(toCountryName(code)), code] as const),
      ...Object.entries(otherNames).flatMap(([code, others]) => others.split('|').map((name) => [name, code] as const)),
    ]),
    dialCodes: new Map(dialCodes.split(' ').map((entry) => [entry.slice(0, -2), entry.slice(-2)] as const)),
  }
  return spellings
}

/** Returns the code of a country given by its code, name or telephone code, or undefined when unknown. */
export function parseCountry(text: string): string | undefined {
  const trimmed = text.trim()
  const code = trimmed.toUpperCase()
  if (COUNTRY_CODES.includes(code)) return code
  const known = getSpellings()
  const dialled = /^(?:\+|00)?\s*(\d{2,3})$/.exec(trimmed)?.[1]
  return dialled === undefined ? known.names.get(toWords(trimmed)) : known.dialCodes.get(dialled)
}

/**
 * Returns the codes of the countries that match `text`, best match first. For '' it returns all, South Africa first and
 * the rest by name.
 */
export function listCountries(text: string): string[] {
  const words = toWords(text)
  const meant = parseCountry(text)
  const named = COUNTRY_CODES.map((code) => ({ code, name: toCountryName(code) }))
  named.sort((a, b) => Number(b.code === 'ZA') - Number(a.code === 'ZA') || a.name.localeCompare(b.name, 'en'))
  if (text.trim() === '') return named.map(({ code }) => code)
  const starting = named.filter(({ name }) => words !== '' && ` ${toWords(name)}`.includes(` ${words}`))
  const within = named.filter(({ name }) => words !== '' && toWords(name).includes(words))
  const found = [...starting, ...within].map(({ code }) => code)
  return [...new Set(meant === undefined ? found : [meant, ...found])]
}
