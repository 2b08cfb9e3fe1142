import { isPromise } from '../../base/util/promise.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Operation, OperationTemplate } from '../../contract/operation.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import { isPartial } from '../../engine/access/denials.ts'
import type { OperationModel } from '../../schema/model.ts'
import { type Guards, unlessRefused } from './may-call.ts'

const templates = new WeakMap<OperationModel, OperationTemplate>()

/** Tests whether a caller may not see a type or field: `User`, `User.email`, by the names that clients use. */
export type IsDenied = (target: string) => boolean

/**
 * Determines which fields and types a caller may not see among those that an operation can return, for descriptions of
 * the schema. It runs the same `authorize` hooks as a call. Fields that are masked, or denied in some rows only, do not
 * count.
 * @param guards `scope.engine`
 * @returns `null`: unknown, because the operation is denied or its authorization needs its arguments
 * @throws errors of hooks that fail
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
