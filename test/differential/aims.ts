import type { Answer } from './reference/answer.ts'
import type { QueryRoot, Request } from './request.ts'

/** What became of requests that ask for one operator, or one order, and nothing besides. */
export class Aims {
  readonly #asked = new Map<string, { asked: number; met: number }>()

  /** Takes the right answer to a request. */
  take({ roots }: Request, answer: Answer): void {
    if (typeof answer === 'string' || !('members' in answer)) return
    for (const [index, root] of roots.entries()) {
      if (root.kind !== 'query' || root.aim === null) continue
      const found = sizeOf(root, answer.members[index]![1])
      if (found === null) continue
      const known = this.#asked.get(root.aim) ?? { asked: 0, met: 0 }
      this.#asked.set(root.aim, known)
      known.asked++
      // An order shows in two rows.
      if (found >= (root.aim.startsWith('order ') ? 2 : 1)) known.met++
    }
  }

  /** Share of the answers that show nothing, from 0 to 1. */
  get emptyShare(): number {
    const all = [...this.#asked.values()]
    const asked = all.reduce((sum, each) => sum + each.asked, 0)
    return asked === 0 ? 0 : 1 - all.reduce((sum, each) => sum + each.met, 0) / asked
  }

  /** Did some answer show something? */
  isMet(name: string): boolean {
    return (this.#asked.get(name)?.met ?? 0) > 0
  }

  /** Those of the operators, by their ids, that no kind of field showed anything for. */
  unmetOperators(ids: Iterable<string>): readonly string[] {
    const met = new Set([...this.#asked].flatMap(([name, { met }]) => (met > 0 ? [name.split(' on ')[0]!] : [])))
    return [...ids].filter((id) => !met.has(`operator ${id}`))
  }

  /** Those of the names whose answers showed nothing in all requests, with their number. */
  unmet(names: Iterable<string>): readonly string[] {
    return [...new Set(names)].flatMap((name) => {
      const { asked = 0, met = 0 } = this.#asked.get(name) ?? {}
      return met > 0 ? [] : [`${name}: nothing in ${asked} answers`]
    })
  }
}

/** How many rows a root shows; `null`: it does not say. */
function sizeOf({ query, wrapper }: QueryRoot, answer: Answer): number | null {
  if (!query.list) return null
  if (wrapper === null) return Array.isArray(answer) ? answer.length : null
  if (typeof answer === 'string' || !('members' in answer)) return null
  const place = wrapper.findIndex(({ name }) => name === 'items' || name === 'edges')
  const rows = answer.members[place]?.[1]
  return Array.isArray(rows) ? rows.length : null
}
