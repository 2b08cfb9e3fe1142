import type { AuthoredSubscription } from '../../schema/authored.ts'
import type { CompiledSubscription } from '../../schema/compiled.ts'
import { toWireName } from '../../util/naming.ts'
import type { CompileContext } from '../context.ts'
import { compileArguments, rulesOf } from '../rules/compile-rules.ts'

export function compileSubscription(context: CompileContext, subscription: AuthoredSubscription): CompiledSubscription {
  const { $place: _place, arguments: args, validate: _validate, ...kept } = subscription
  return {
    ...kept,
    ...rulesOf(context, subscription),
    wire_name: toWireName(subscription.name),
    arguments: compileArguments(context, args),
  }
}
