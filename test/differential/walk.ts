import type { ListArguments, Request } from './request.ts'

/** Pages of one connection behind the first. */
const MOST_PAGES = 6

/** The pages of an ordered connection, one behind the other, and at the end one between two cursors of the way. */
export class Walk {
  readonly #seen = new Set<string>()
  #page = 0

  /**
   * @param cursors of the page that was asked for
   * @returns what is asked next; `null`: nothing, or it is no such connection
   */
  next({ caller, roots }: Request, cursors: readonly string[]): Request | null {
    const [root] = roots
    if (roots.length !== 1 || root?.kind !== 'query' || !root.query.relay || root.args.orderBy === undefined)
      return null
    if (this.#page > MOST_PAGES) return null
    for (const cursor of cursors) this.#seen.add(cursor)
    const { after: _, before: __, ...args } = root.args
    const forward = args.first?.value != null || args.last?.value == null
    const to = (bounds: ListArguments): Request => ({ caller, roots: [{ ...root, args: { ...args, ...bounds } }] })
    const end = forward ? cursors.at(-1) : cursors[0]
    if (end !== undefined && ++this.#page < MOST_PAGES) {
      return to({ [forward ? 'after' : 'before']: { value: end, as: 'variable' } })
    }
    this.#page = MOST_PAGES + 1
    const known = [...this.#seen]
    if (known.length < 3) return null
    // In the order of the way, which goes back where the pages do.
    const [near, far] = [known[Math.floor(known.length / 4)]!, known.at(-1)!]
    const [after, before] = forward ? [near, far] : [far, near]
    return to({ after: { value: after, as: 'literal' }, before: { value: before, as: 'variable' } })
  }
}
