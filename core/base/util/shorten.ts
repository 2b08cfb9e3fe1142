/**
 * Cuts a text after `most` UTF-16 units and appends `…`; a shorter text is returned unchanged. Does not split surrogate
 * pairs.
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)}…`
}
