/** Cuts a text to `most` UTF-16 units and adds `…`. It does not split surrogate pairs. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)}…`
}
