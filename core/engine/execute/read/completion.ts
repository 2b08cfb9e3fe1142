import type { OperationTemplate } from '../../../contract/operation.ts'
import { type Completed, complete } from '../../json/complete.ts'
import { fits } from '../../json/fits.ts'
import type { MemberShape } from '../../json/value-shape.ts'
import { plansOf } from '../../plan/plan-cache.ts'
import { isRewritten, rootShape } from './shape.ts'

/** Shapes for completing the root fields of a template (GraphQL specification, section 6.4.3). Derived once for each template. */
export interface Completion {
  /** Expected form of each root field, by index. */
  readonly roots: readonly MemberShape[]
  readonly whole: MemberShape
  /** The template has custom scalars or masks, so that every text must be rewritten. */
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

/** Tests whether the text of a root field has the type of the root and can be sent unchanged. */
export function fitsRoot(template: OperationTemplate, index: number, text: string): boolean {
  const { always, roots } = completionOf(template)
  return !always && fits(text, roots[index]!)
}

/** Completes the text of a root field: invalid values become null, with errors. */
export function completeRoot(template: OperationTemplate, index: number, text: string): Completed {
  const key = template.roots[index]!.responseKey
  return complete(text, completionOf(template).roots[index]!, [key])
}
