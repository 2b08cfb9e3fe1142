import type { OperationTemplate } from '../../../contract/operation.ts'
import { type Completed, complete } from '../../json/complete.ts'
import { fits } from '../../json/fits.ts'
import type { MemberShape } from '../../json/value-shape.ts'
import { plansOf } from '../../plan/plan-cache.ts'
import { isRewritten, rootShape } from './shape.ts'

/**
 * The expected form of a response to an operation, against which the JSON of the database is checked (GraphQL
 * specification, section 6.4.3). It is derived once per document.
 */
export interface Completion {
  /** Expected form of each root field, in the order of `template.roots`. */
  readonly roots: readonly MemberShape[]
  readonly whole: MemberShape
  /** `true`: the selection has custom scalars or masks, so that every response must be converted value by value. */
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

/**
 * Tests whether the JSON text of a root field has the declared type and needs no conversion, so that it can be sent
 * unchanged.
 * @param index index of the root field in the template
 */
export function fitsRoot(template: OperationTemplate, index: number, text: string): boolean {
  const { always, roots } = completionOf(template)
  return !always && fits(text, roots[index]!)
}

/**
 * Checks and converts the JSON text of a root field. Invalid values become null, with an error that has their path.
 * @param index index of the root field in the template
 */
export function completeRoot(template: OperationTemplate, index: number, text: string): Completed {
  const key = template.roots[index]!.responseKey
  return complete(text, completionOf(template).roots[index]!, [key])
}
