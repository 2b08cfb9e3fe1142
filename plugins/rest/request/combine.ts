import type { Filter } from './json-filter.ts'

/** Collects the filters of a REST request and combines them by AND. */
export class FilterSum {
  #filter: Filter | null = null
  #more: Filter[] | null = null

  /** Adds a condition on a field. */
  condition(field: string, operator: string, value: unknown): void {
    this.#filter ??= {}
    const known = this.#filter[field] as Record<string, unknown> | undefined
    if (known === undefined) this.#filter[field] = { [operator]: value }
    else if (Object.hasOwn(known, operator)) this.filter({ [field]: { [operator]: value } })
    else known[operator] = value
  }

  /** Adds a filter. */
  filter(filter: Filter): void {
    this.#more ??= []
    this.#more.push(filter)
  }

  /** @returns the combined filter; `null`: none */
  sum(): Filter | null {
    const more = this.#more
    if (more === null) return this.#filter
    const all = this.#filter === null ? more : [this.#filter, ...more]
    return all.length === 1 ? all[0]! : { _and: all }
  }
}
