/** As many as a statement asks for in each row. */
const MOST = 32

/** Remembers what was made of the texts that were given last. */
export function recently<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    const oldest = known.keys().next()
    if (known.size >= MOST && oldest.done !== true) known.delete(oldest.value)
    known.set(text, made)
    return made
  }
}
