/**
 * Beginning of the text that stands in a result for an object of an interface or union whose type name is unknown. The name follows it. The
 * completion of the answer replaces it by null and an error.
 */
export const UNKNOWN_TYPE = '?type '

/** The same in JSON. A text of a row that contains it only causes a needless check. */
export const UNKNOWN_TYPE_SIGN = `"${UNKNOWN_TYPE}`

/** Returns the type name in the JSON of such a text; `null`: another value. */
export function unknownTypeIn(json: string): string | null {
  return json.startsWith(UNKNOWN_TYPE_SIGN) ? (JSON.parse(json) as string).slice(UNKNOWN_TYPE.length) : null
}
