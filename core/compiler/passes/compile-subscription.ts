import { toWireName } from '../../base/util/naming.ts'
import type { AuthoredSubscription } from '../../schema/authored.ts'
import type { CompiledRead, CompiledSubscription } from '../../schema/compiled.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { compileArguments, rulesOf } from '../rules/compile-rules.ts'
import { readInjected } from './read-condition.ts'

export function compileSubscription(context: CompileContext, subscription: AuthoredSubscription): CompiledSubscription {
  const { $place: _place, arguments: args, validate: _validate, ...kept } = subscription
  const injected = injectReads(context, subscription)
  return {
    ...kept,
    ...rulesOf(context, subscription),
    wire_name: toWireName(subscription.name),
    arguments: compileArguments(context, args),
    ...(injected.length === 0 ? {} : { inject_reads: Object.fromEntries(injected) }),
  }
}

/** Returns the columns of the type's source that must equal the claim, in the row of an event. */
function injectReads(
  context: CompileContext,
  subscription: AuthoredSubscription,
): readonly (readonly [string, CompiledRead])[] {
  const columns = Object.keys(subscription.inject ?? {})
  if (columns.length === 0) return []
  const label = `Subscription "${subscription.name}"`
  const ref = parseTypeRef(subscription.type)
  const name = ref === null ? '' : namedTypeOf(ref).name
  const result = context.index.get(name)
  const where = context.typeSources.get(name)
  const source = where?.source == null ? undefined : context.sources.get(where.source)
  if (result?.kind !== 'object' || source === undefined) {
    context.report.fault(
      'inject',
      `${label}: inject needs an object type with a source; ${name} is none.`,
      subscription,
    )
    return []
  }
  const place = { result, source, document: where?.document ?? null }
  return columns.flatMap((column) => {
    const read = readInjected(context, place, column, label, subscription)
    return read === null ? [] : [[column, read] as const]
  })
}
