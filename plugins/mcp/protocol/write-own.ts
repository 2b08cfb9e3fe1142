/**
 * JSON text of a result that a plugin puts together. What it is stands first, where it says that itself: a question to the client, in
 * the place of an answer.
 */
export function writeOwn({ resultType, ...rest }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(resultType === undefined ? rest : { resultType, ...rest })
}
