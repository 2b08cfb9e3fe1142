import type { Encoding } from './options.ts'

/** Headers that are remembered: clients send few. */
const MOST_KNOWN = 100
const LONGEST_KNOWN = 200

/** Gives what a client wants best of what there is; `null`: as it is. */
export type ChooseEncoding = (acceptEncoding: string) => Encoding | null

/** @param offered the best first: of what a client wants as much, the first is taken */
export function createChooser(offered: readonly Encoding[]): ChooseEncoding {
  const known = new Map<string, Encoding | null>()
  return (header) => {
    let chosen = known.get(header)
    if (chosen === undefined) {
      chosen = choose(header, offered)
      if (header.length <= LONGEST_KNOWN) {
        if (known.size >= MOST_KNOWN) known.clear()
        known.set(header, chosen)
      }
    }
    return chosen
  }
}

/** RFC 9110, 12.5.3. */
function choose(header: string, offered: readonly Encoding[]): Encoding | null {
  const weights = new Map<string, number>()
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((text) => text.startsWith('q='))
    // `x-gzip` is the same, by an older name.
    weights.set(name.replace(/^x-/, ''), weight === undefined ? 1 : weightOf(weight.slice(2)))
  }
  const others = weights.get('*') ?? 0
  let best: Encoding | null = null
  let most = 0
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? others
    if (weight > most) {
      best = encoding
      most = weight
    }
  }
  return (weights.get('identity') ?? 0) > most ? null : best
}

/** What is no weight is none: then it is sent as it is, which everybody reads. */
function weightOf(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
