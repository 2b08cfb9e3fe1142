import type { Filter } from './json-filter.ts'

/** Filters of one request, all of which hold. They are put into one object where no name of them meets. */
export class FilterSum {
  #filter: Filter | null = null
  #more: Filter[] | null = null

  /** One operator of a field. */
  condition(field: string, operator: string, value: unknown): void {
    this.#filter ??= {}
    const known = this.#filter[field] as Record<string, unknown> | undefined
    if (known === undefined) this.#filter[field] = { [operator]: value }
    else if (Object.hasOwn(known, operator)) this.filter({ [field]: { [operator]: value } })
    else known[operator] = value
  }

  /** A filter by itself. */
  filter(filter: Filter): void {
    this.#more ??= []
    this.#more.push(filter)
  }

  /** @returns `null`: nothing was said */
  sum(): Filter | null {
    const more = this.#more
    if (more === null) return this.#filter
    const all = this.#filter === null ? more : [this.#filter, ...more]
    return all.length === 1 ? all[0]! : { _and: all }
  }
}
