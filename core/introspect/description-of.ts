/** Returns the option `description` of a comment. */
export function descriptionOf(comment: string | undefined): { readonly description?: string } {
  const text = comment?.trim() ?? ''
  return text === '' ? {} : { description: text }
}
