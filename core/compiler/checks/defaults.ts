import { toWireName } from '../../base/util/naming.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import { parseTypeRef, type TypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { scalarCheckOf } from '../rules/scalar-rules.ts'

/** Checks that the default value of each input field and argument is valid for its type. */
export function checkDefaults(context: CompileContext): void {
  const { schema, report } = context
  for (const owner of [...(schema.input_types ?? []), ...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    for (const field of owner.fields) {
      const problem = problemOf(context, field.type, field.default)
      if (problem !== null)
        report.fault('bad-default', `${owner.name}.${field.name}: default ${problem}.`, field, owner)
    }
  }
  for (const operation of [...(schema.queries ?? []), ...(schema.mutations ?? []), ...(schema.subscriptions ?? [])]) {
    for (const argument of operation.arguments ?? []) {
      const problem = problemOf(context, argument.type, argument.default)
      if (problem === null) continue
      report.fault('bad-default', `"${operation.name}", argument "${argument.name}": default ${problem}.`, operation)
    }
  }
}

function problemOf(context: CompileContext, type: string, value: unknown): string | null {
  const ref = parseTypeRef(type)
  return value === undefined || ref === null ? null : literalProblem(context, ref, value)
}

/** @returns the problem of the JSON literal, without a full stop; `null` when it is a value of the type */
function literalProblem(context: CompileContext, ref: TypeRef, value: unknown): string | null {
  if (value === null) return ref.nullable ? null : `is null, and the type is non-null`
  if (ref.kind === 'list') {
    for (const item of Array.isArray(value) ? value : [value]) {
      const problem = literalProblem(context, ref.of, item)
      if (problem !== null) return problem
    }
    return null
  }
  const named = context.index.get(ref.name)
  const shown = JSON.stringify(value)
  switch (named?.kind) {
    case 'scalar':
      try {
        const read = named.base.parse(value)
        const problem = named.element === null ? null : (scalarCheckOf(context, named.element)?.(read) ?? null)
        return problem === null ? null : `${shown} is no ${ref.name}: ${problem.replace(/\.$/, '')}`
      } catch (error) {
        return `${shown} is no ${ref.name}: ${(error as Error).message.replace(/\.$/, '')}`
      }
    case 'enum': {
      const names = named.element.values.map((item) => item.name)
      if (typeof value === 'string' && names.includes(value)) return null
      const hint = didYouMean(String(value), names)
      return `${shown} is no value of ${ref.name}; they are ${listNames(names)}${hint === '' ? '' : `.${hint}`.replace(/\?$/, '')}`
    }
    case 'input':
      return inputProblem(context, named.element.fields, ref.name, value, shown)
    default:
      return null
  }
}

function inputProblem(
  context: CompileContext,
  fields: readonly { readonly name: string; readonly type: string; readonly default?: unknown }[],
  name: string,
  value: unknown,
  shown: string,
): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${shown} is no object of ${name}`
  const given = value as Record<string, unknown>
  const names = fields.flatMap((field) => [field.name, toWireName(field.name)])
  const unknown = Object.keys(given).find((key) => !names.includes(key))
  if (unknown !== undefined) return `has the key "${unknown}", which ${name} does not have`
  for (const field of fields) {
    const own = given[field.name] ?? given[toWireName(field.name)]
    const ref = parseTypeRef(field.type)
    if (ref === null) continue
    if (own === undefined) {
      if (!ref.nullable && field.default === undefined) return `lacks ${field.name}, which ${name} needs`
      continue
    }
    const problem = literalProblem(context, ref, own)
    if (problem !== null) return problem
  }
  return null
}
