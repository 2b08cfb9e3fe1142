/**
 * Writes the result of a plugin as JSON. `resultType` comes first if the plugin sets it (`input_required` asks the client for input
 * before the tool can finish), because the caller tests for it at the start of the text.
 */
export function writeOwn({ resultType, ...rest }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(resultType === undefined ? rest : { resultType, ...rest })
}
