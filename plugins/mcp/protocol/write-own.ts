/**
 * Writes the MCP result of a plugin as JSON. A member `resultType` comes first, because callers look for it at the
 * start of the text.
 */
export function writeOwn({ resultType, ...rest }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(resultType === undefined ? rest : { resultType, ...rest })
}
