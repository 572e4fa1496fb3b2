/**
 * Names as they are heard in the four cities: Afrikaans, English, Indian, isiXhosa, isiZulu, Sesotho, Setswana and
 * others.
 */
export const demoUsers: readonly [firstname: string, lastname: string][] = [
  ['Thandeka', 'Mkhize'],
  ['Pieter', 'van der Merwe'],
  ['Priya', 'Naidoo'],
  ['Sipho', 'Dlamini'],
  ['Emma', 'Harrington'],
  ['Lerato', 'Mokoena'],
  ['Johan', 'Botha'],
  ['Nomvula', 'Khumalo'],
  ['Rajesh', 'Pillay'],
  ['Zanele', 'Nxumalo'],
  ['Anneke', 'Steyn'],
  ['Bongani', 'Zulu'],
  ['Fatima', 'Adams'],
  ['Kagiso', 'Molefe'],
  ['Charlotte', 'Whitfield'],
  ['Siyabonga', 'Ndlovu'],
  ['Marelize', 'Pretorius'],
  ['Ayanda', 'Mbeki'],
  ['Vikram', 'Govender'],
  ['Palesa', 'Motaung'],
  ['Daniel', 'Rosenberg'],
  ['Nosipho', 'Gumede'],
  ['Hendrik', 'Coetzee'],
  ['Yusuf', 'Davids'],
  ['Tshepo', 'Maseko'],
  ['Megan', 'O’Connor'],
  ['Lindiwe', 'Sithole'],
  ['Keshav', 'Reddy'],
  ['Themba', 'Mthembu'],
  ['Elsabé', 'du Plessis'],
  ['Andile', 'Qwabe'],
  ['Shreya', 'Chetty'],
  ['Refilwe', 'Tau'],
  ['Gareth', 'Llewellyn'],
  ['Nokuthula', 'Zungu'],
  ['Riaan', 'Joubert'],
  ['Aaliyah', 'Jacobs'],
  ['Mpho', 'Nkosi'],
  ['Olivia', 'Barnard'],
  ['Xolani', 'Mabaso'],
  ['Sunette', 'Vermeulen'],
  ['Lwazi', 'Ntuli'],
  ['Dineo', 'Phiri'],
  ['Imraan', 'Khan'],
  ['Busisiwe', 'Cele'],
  ['Christiaan', 'Nel'],
  ['Naledi', 'Seretse'],
  ['Oliver', 'Bennett'],
  ['Phumzile', 'Hadebe'],
  ['Mandla', 'Shabangu'],
  ['Anisha', 'Maharaj'],
  ['Wikus', 'Swanepoel'],
  ['Khanyisile', 'Buthelezi'],
  ['Tumelo', 'Modise'],
  ['Grace', 'Chikwanha'],
  ['Rushdi', 'Petersen'],
  ['Nandi', 'Mhlongo'],
  ['Werner', 'Kruger'],
  ['Itumeleng', 'Ramaphakela'],
  ['Chloé', 'Fourie'],
]

/** Companies that book for their people: name, contact, cost centre. */
export const demoCompanies: readonly (readonly [string, string, string])[] = [
  ['Baobab Consulting', 'Nomsa Khumalo', 'CC-1040'],
  ['Protea Legal', 'Francois Joubert', ''],
  ['Kudu Software', 'Priya Naidoo', 'R&D'],
  ['Umhlanga Architects', 'Sipho Zulu', 'Projects'],
  ['Karoo Films', 'Lerato Molefe', ''],
]

/** The intervals at which people in the list above are blocked, or have given no mobile number. */
export const BLOCKED_EVERY = 12
export const WITHOUT_MOBILE_EVERY = 9

/** Returns `first.last@example.com`, by default of a domain that never delivers (RFC 2606). */
export function toDemoEmail(firstname: string, lastname: string, domain = 'example.com'): string {
  const plain = `${firstname}.${lastname}`
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z.]/g, '')
  return `${plain.toLowerCase()}@${domain}`
}

/** Returns a mobile number. South Africa reserves none for fiction: films use 555 and a low number after the prefix. */
export function toDemoMobile(index: number): string {
  const prefixes = ['82', '83', '72', '73', '76', '79', '61', '84']
  return `+27 ${prefixes[index % prefixes.length]} 555 ${String(100 + index).padStart(4, '0')}`
}
