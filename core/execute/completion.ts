import type { OperationTemplate } from '../contract/operation.ts'
import { type Completed, complete } from '../json/complete.ts'
import { fits } from '../json/fits.ts'
import type { MemberShape } from '../json/value-shape.ts'
import { plansOf } from '../plan/plans-of.ts'
import { isRewritten, rootShape } from './shape.ts'

/** How the roots of a template are completed; derived once per template. */
export interface Completion {
  /** By index of the root. */
  readonly roots: readonly MemberShape[]
  readonly whole: MemberShape
  /** Are there custom scalars or masks, which rewrite values whatever the text holds? */
  readonly always: boolean
}

const KEY = 'complete'
const ROOT_TYPES = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

export function completionOf(template: OperationTemplate): Completion {
  const known = plansOf(template).get(KEY) as Completion | undefined
  if (known !== undefined) return known
  const type = ROOT_TYPES[template.kind]
  const roots = template.roots.map((root) => rootShape(root, type))
  const members = new Map(template.roots.map((root, index) => [root.responseKey, roots[index]!]))
  const whole: MemberShape = {
    place: type,
    shape: { nullable: false, items: null, members, leaf: null, serialize: null, masks: null },
    locations: undefined,
  }
  const completion: Completion = { roots, whole, always: isRewritten(whole.shape) }
  plansOf(template).set(KEY, completion)
  return completion
}

/** Is the value of that root what its type says, to be sent as it stands? */
export function fitsRoot(template: OperationTemplate, index: number, text: string): boolean {
  const { always, roots } = completionOf(template)
  return !always && fits(text, roots[index]!)
}

/** The value of one root, where it may hold what its type does not. */
export function completeRoot(template: OperationTemplate, index: number, text: string): Completed {
  const key = template.roots[index]!.responseKey
  return complete(text, completionOf(template).roots[index]!, [key])
}
