import type { Access, Denial } from '../../contract/access.ts'
import { accessKey } from './access-key.ts'
import { maskId } from './mask-id.ts'

/** The access of one run, or of several runs with equal restrictions. Its key is computed on first access. */
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

/** Computes `Access.variant`. @param shapes conditions without their values, by type or target */
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
