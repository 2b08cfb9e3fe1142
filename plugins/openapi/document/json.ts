/** A JSON object, as a part of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>

/** Returns an object without its members that are `undefined`. */
export function compact(members: Json): Json {
  if (!Object.values(members).includes(undefined)) return members
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** Joins texts with blank lines between them, and skips empty ones; `undefined`: all are empty. */
export function paragraphs(...texts: readonly (string | undefined)[]): string | undefined {
  const given = texts.filter((text) => text !== undefined && text !== '')
  return given.length === 0 ? undefined : given.join('\n\n')
}
