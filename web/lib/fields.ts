/** Returns the keys of a constant, with their type. */
export function keysOf<Key extends string>(constant: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(constant) as Key[] // a constant has no other keys
}

/** Returns the text of each field that is labelled: the record's, or '' for a new one. */
export function toTexts<Name extends string>(
  labels: Readonly<Record<Name, string>>,
  record?: Readonly<Record<NoInfer<Name>, string>>,
): Record<Name, string> {
  const texts = keysOf(labels).map((name) => [name, record?.[name] ?? ''])
  return Object.fromEntries(texts) as Record<Name, string> // made of these names
}
