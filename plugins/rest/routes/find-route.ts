/** What is matched: a path of segments, some of which are `:name`. */
interface Pattern {
  readonly method: string
  readonly path: string
}

export interface FoundRoute<R> {
  readonly route: R
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** The route of a path, as the router finds it: segments that are written win over those that are named. */
export function findRoute<R extends Pattern>(
  routes: readonly R[],
  method: string,
  pathname: string,
): FoundRoute<R> | null {
  const segments = pathname.split('/')
  let best: (FoundRoute<R> & { readonly written: number }) | null = null
  for (const route of routes) {
    if (route.method !== method) continue
    const names = route.path.split('/')
    if (names.length !== segments.length) continue
    const isHere = names.every((name, i) => (name.startsWith(':') ? segments[i] !== '' : name === segments[i]))
    const written = names.filter((name) => !name.startsWith(':')).length
    if (!isHere || (best !== null && best.written >= written)) continue
    best = { route, params: paramsOf(names, segments), written }
  }
  return best
}

function paramsOf(names: readonly string[], segments: readonly string[]): Record<string, string> {
  const named = names.flatMap((name, i) => (name.startsWith(':') ? [[name.slice(1), decode(segments[i] ?? '')]] : []))
  return Object.fromEntries(named) as Record<string, string>
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
