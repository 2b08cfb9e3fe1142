import { isPromise } from '../../base/util/promise.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Operation, OperationTemplate } from '../../contract/operation.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import { isPartial } from '../../engine/access/denials.ts'
import type { OperationModel } from '../../schema/model.ts'
import { type Guards, unlessRefused } from './may-call.ts'

const templates = new WeakMap<OperationModel, OperationTemplate>()

/** Tests whether a target is denied to a caller: `Type` or `Type.field`, in wire names of object types. */
export type IsDenied = (target: string) => boolean

/**
 * Finds the fields and types that a caller may not see in the types that an operation can reach, for descriptions of types. It runs the same
 * guards as a call. Fields that are masked, or denied in some rows, do not count as denied.
 * @param guards `scope`
 * @returns `null`: unknown, because the guards deny the operation or need its arguments
 * @throws errors of guards that fail
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

/** A pseudo argument. Like a filter it may refer to any field, so that the guards of all fields run. */
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
