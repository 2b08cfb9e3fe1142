import { isPartial } from '../access/denials.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { Operation, OperationTemplate } from '../contract/operation.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import type { OperationModel } from '../schema/model.ts'
import { isPromise } from '../util/promise.ts'
import { type Guards, unlessRefused } from './may-call.ts'

const templates = new WeakMap<OperationModel, OperationTemplate>()

/** Is this denied to the caller? By `Type` and `Type.field`, wire names of object types. */
export type IsDenied = (target: string) => boolean

/**
 * What a caller does not see of the types that an operation leads to, however far away: for descriptions of types. Asked of the
 * same guards as a call. A field that some rows keep, or that is masked, is not denied.
 * @param guards `scope`
 * @returns `null`: they cannot say, because they refuse the operation, or want its arguments
 * @throws what a guard failed with
 */
export function deniedBehind(
  guards: Guards,
  exchange: Exchange,
  operation: OperationModel,
): MaybePromise<IsDenied | null> {
  return unlessRefused<IsDenied | null>(
    () => {
      const allowed = guards.authorize(exchange, { template: wholeOf(operation), variables: {} })
      return isPromise(allowed) ? allowed.then(deniedOf) : deniedOf(allowed)
    },
    () => null,
  )
}

function deniedOf({ access }: Operation): IsDenied {
  return (target) => {
    const denial = access?.denied.get(target)
    return denial !== undefined && !isPartial(denial)
  }
}

/** No name of an argument: it may speak of any field, as a filter does, so that the guards of all of them are asked. */
const OF_ALL = { name: '*', value: { kind: 'constant', value: null } } as const

function wholeOf(operation: OperationModel): OperationTemplate {
  let template = templates.get(operation)
  if (template === undefined) {
    const { kind, wireName: responseKey } = operation
    const root = {
      kind: 'operation',
      responseKey,
      operation,
      arguments: [OF_ALL],
      selection: null,
      location: null,
    } as const
    template = { kind, name: null, roots: [root], variables: [] }
    templates.set(operation, template)
  }
  return template
}
