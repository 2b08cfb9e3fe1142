import type { Access, Denial } from '../contract/access.ts'
import { accessKey } from './access-key.ts'
import { maskId } from './mask-id.ts'

/** The access of one run, or of many that are alike. Its key is made when it is first read. */
export class CollectedAccess implements Access {
  readonly denied: Access['denied']
  readonly conditions: Access['conditions']
  readonly values: Access['values']
  readonly settings: Access['settings']
  readonly variant: string
  #key: string | null = null

  constructor({ denied, conditions, values, settings, variant }: Omit<Access, 'key'>) {
    this.denied = denied
    this.conditions = conditions
    this.values = values
    this.settings = settings
    this.variant = variant
    Object.freeze(this)
  }

  get key(): string {
    this.#key ??= accessKey(this)
    return this.#key
  }
}

/** @param shapes by type: its conditions without their values */
export function variantOf(denied: ReadonlyMap<string, Denial>, shapes: ReadonlyMap<string, readonly string[]>): string {
  let variant = ''
  for (const target of [...denied.keys()].sort()) {
    const { reject, unless, masks } = denied.get(target)!
    const masked = masks === undefined ? '' : `*${masks.map(maskId).join()}*`
    variant += `-${reject ? '!' : ''}${unless === true ? '?' : ''}${masked}${target}`
  }
  for (const type of [...shapes.keys()].sort()) variant += `&${type}(${shapes.get(type)!.join(',')})`
  return variant
}
