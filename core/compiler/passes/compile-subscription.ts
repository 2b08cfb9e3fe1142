import type { AuthoredSubscription } from '../../schema/authored.ts'
import type { CompiledSubscription } from '../../schema/compiled.ts'
import { toWireName } from '../../util/naming.ts'

export function compileSubscription(subscription: AuthoredSubscription): CompiledSubscription {
  const { $place: _place, arguments: args, ...kept } = subscription
  return {
    ...kept,
    wire_name: toWireName(subscription.name),
    arguments: (args ?? []).map((argument) => ({ ...argument, wire_name: toWireName(argument.name) })),
  }
}
