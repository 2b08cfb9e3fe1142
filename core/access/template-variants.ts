import type { Access } from '../contract/access.ts'
import type { Masked, OperationTemplate, RootSelection } from '../contract/operation.ts'
import { findRejected } from './find-rejected.ts'
import { maskRoot } from './masked-root.ts'

/** Kept per template; the one that was not used longest goes. */
const MOST_VARIANTS = 32
/** A longer variant is that of a condition made for one request. */
const LONGEST_VARIANT = 2000
/** About how many bytes a template takes beside its plans. */
const TEMPLATE_BYTES = 2000

interface Variant {
  readonly template: OperationTemplate
  bytes: number
  /** Plans that a request still under way makes for it from then on are counted nowhere. */
  isDropped: boolean
}

const variants = new WeakMap<OperationTemplate, Map<string, Variant>>()
const bases = new WeakMap<OperationTemplate, OperationTemplate>()

/** The template as the front made it. */
export function baseOf(template: OperationTemplate): OperationTemplate {
  return bases.get(template) ?? template
}

/**
 * The template for those who see it in one way: with what is denied taken out, and with plans of its own, so that none is
 * shared with somebody who sees another thing.
 * @throws SvcError the error of what is denied with `onDeny: "reject"` and selected
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
