import { didYouMean, listNames } from '../../base/util/nearest.ts'
import { BUILTIN_SCALARS, findScalar, SCALAR_NAMES } from '../../schema/scalars.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { aKind, isComposite } from '../ground/type-index.ts'

type At = Parameters<CompileContext['report']['fault']>[2]

/**
 * Checks that every type that the schema names exists and is allowed there: input types for arguments, output types for
 * results.
 */
export function checkReferences(context: CompileContext): void {
  const { schema, report } = context
  for (const owner of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    for (const field of owner.fields) checkType(context, `${owner.name}.${field.name}`, field.type, 'out', field, owner)
  }
  for (const owner of schema.input_types ?? []) {
    for (const field of owner.fields) checkType(context, `${owner.name}.${field.name}`, field.type, 'in', field, owner)
  }
  for (const [kind, operations] of [
    ['Query', schema.queries],
    ['Mutation', schema.mutations],
    ['Subscription', schema.subscriptions],
  ] as const) {
    for (const operation of operations ?? []) {
      const label = `${kind} "${operation.name}"`
      checkType(context, label, operation.type, 'out', operation)
      for (const argument of operation.arguments ?? []) {
        checkType(context, `${label}, argument "${argument.name}"`, argument.type, 'in', operation)
      }
    }
  }
  for (const scalar of schema.custom_scalars ?? []) {
    const { base_type: base, name } = scalar
    if (base !== undefined && findScalar(base) === undefined) {
      const hint = didYouMean(base, SCALAR_NAMES)
      report.fault(
        'bad-scalar',
        `Scalar "${name}": base_type "${base}" is no built-in scalar.${hint === '' ? ` They are: ${listNames(BUILTIN_SCALARS.keys())}, and the semantic scalars.` : hint}`,
        scalar,
      )
    }
    if ((scalar.module === undefined) !== (scalar.export === undefined)) {
      report.fault('bad-scalar', `Scalar "${name}": "module" and "export" belong together; one is missing.`, scalar)
    }
  }
}

function checkType(context: CompileContext, label: string, text: string, way: 'in' | 'out', ...at: At[]): void {
  const { index, report } = context
  const ref = parseTypeRef(text)
  if (ref === null) {
    report.fault('type-syntax', `${label}: "${text}" is no type. Write it like String, String!, [Post!]!.`, ...at)
    return
  }
  const { name } = namedTypeOf(ref)
  const named = index.get(name)
  if (named === undefined) {
    const all = [...index]
      .filter(([, { kind, element }]) => kind !== 'scalar' || element !== null)
      .map(([known]) => known)
    // Suggests a declared type first. A scalar is only suggested for longer names, because short names resemble many.
    const hint = didYouMean(name, all) || (name.length > 3 ? didYouMean(name, SCALAR_NAMES) : '')
    const known = all.length === 0 ? ' The schema declares no types.' : ` The schema declares: ${listNames(all)}.`
    report.fault('unknown-type', `${label}: there is no type "${name}".${hint === '' ? known : hint}`, ...at)
    return
  }
  if (way === 'out' && named.kind === 'input') {
    report.fault(
      'wrong-position',
      `${label}: ${name} is an input; a result needs a type. Declare a type with these fields.`,
      ...at,
    )
  }
  if (way === 'in' && isComposite(named)) {
    report.fault(
      'wrong-position',
      `${label}: ${name} is ${aKind(named)}; only scalars, enums and inputs can be given. Declare an input.`,
      ...at,
    )
  }
}
