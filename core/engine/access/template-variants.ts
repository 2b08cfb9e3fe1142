import type { Access } from '../../contract/access.ts'
import type { Masked, OperationTemplate, RootSelection } from '../../contract/operation.ts'
import { findRejected } from './find-rejected.ts'
import { maskRoot } from './masked-root.ts'

/** Most cached variants of a template. The least recently used one is evicted. */
const MOST_VARIANTS = 32
/** Longest variant key, in characters, that is cached. Longer ones come from conditions built for a single request. */
const LONGEST_VARIANT = 2000
/** Approximate size of a template in bytes, without plans. */
const TEMPLATE_BYTES = 2000

interface Variant {
  readonly template: OperationTemplate
  bytes: number
  /** The variant was evicted. Plans that running requests still add to it are not counted. */
  isDropped: boolean
}

const variants = new WeakMap<OperationTemplate, Map<string, Variant>>()
const bases = new WeakMap<OperationTemplate, OperationTemplate>()

/**
 * Returns the original of a template that {@link variantOf} derived for callers with restrictions. A template that it
 * did not derive is returned itself.
 */
export function baseOf(template: OperationTemplate): OperationTemplate {
  return bases.get(template) ?? template
}

/**
 * Returns the template of an operation for callers with certain restrictions. It does not contain the parts that they
 * may not see, and has plans of its own, so that callers with other restrictions never use them. Up to 32 variants per
 * template are cached.
 * @throws SvcError the error of a selected target that is denied with `onDeny: "reject"`
 */
export function variantOf(template: OperationTemplate, access: Access): OperationTemplate {
  const base = baseOf(template)
  if (access.variant === '') return base
  const denial = access.denied.size === 0 ? null : findRejected(base, access.denied)
  if (denial !== null) throw denial.error
  if (access.variant.length > LONGEST_VARIANT) return derive(base, access, undefined)
  const own = variants.get(base) ?? new Map<string, Variant>()
  let variant = own.get(access.variant)
  if (variant === undefined) {
    if (own.size >= MOST_VARIANTS) dropOldest(base, own)
    variant = keep(base, access)
  } else if (own.size >= MOST_VARIANTS) own.delete(access.variant)
  else return variant.template
  variants.set(base, own.set(access.variant, variant))
  return variant.template
}

function keep(base: OperationTemplate, access: Access): Variant {
  const grow = (bytes: number): void => {
    if (variant.isDropped) return
    variant.bytes += bytes
    base.onPlanned?.(bytes)
  }
  const variant: Variant = { template: derive(base, access, grow), bytes: 0, isDropped: false }
  grow(TEMPLATE_BYTES)
  return variant
}

function dropOldest(base: OperationTemplate, own: Map<string, Variant>): void {
  for (const [key, variant] of own) {
    own.delete(key)
    variant.isDropped = true
    base.onPlanned?.(-variant.bytes)
    return
  }
}

function derive(
  base: OperationTemplate,
  access: Access,
  onPlanned: ((bytes: number) => void) | undefined,
): OperationTemplate {
  const { roots, masked } = maskRoots(base.roots, access.denied)
  const template = { ...base, roots, onPlanned, ...(masked === null ? {} : { masked }) }
  bases.set(template, base)
  return template
}

function maskRoots(
  roots: readonly RootSelection[],
  denied: Access['denied'],
): { readonly roots: readonly RootSelection[]; readonly masked: Masked | null } {
  if (denied.size === 0) return { roots, masked: null }
  const all = roots.map((root) => maskRoot(denied, root))
  const places = all.flatMap((one) => one.places)
  const masked = places.length === 0 ? null : { places, fails: all.some(({ fails }) => fails) }
  return { roots: all.map(({ root }) => root), masked }
}
