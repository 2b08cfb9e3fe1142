import type { AuthoredInput } from '../../schema/authored.ts'
import { parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'

/**
 * Reports input types that contain each other in a cycle of required fields, so that no finite value exists. A nullable
 * field, a list or a default breaks the cycle.
 */
export function checkInputCycles(context: CompileContext): void {
  const inputs = new Map((context.schema.input_types ?? []).map((input) => [input.name, input]))
  const done = new Set<string>()
  for (const input of inputs.values()) visit(context, inputs, input, [], done)
}

function visit(
  context: CompileContext,
  inputs: ReadonlyMap<string, AuthoredInput>,
  input: AuthoredInput,
  path: readonly { readonly input: AuthoredInput; readonly field: string }[],
  done: Set<string>,
): void {
  const start = path.findIndex((step) => step.input === input)
  if (start >= 0) {
    const circle = path.slice(start).map((step) => `${step.input.name}.${step.field}`)
    context.report.fault(
      'input-cycle',
      `Input "${input.name}" needs itself without end: ${circle.join(' → ')} → ${input.name}. Make one of these fields nullable.`,
      input,
    )
    return
  }
  if (done.has(input.name)) return
  for (const field of input.fields) {
    const ref = parseTypeRef(field.type)
    if (ref === null || ref.kind === 'list' || ref.nullable || field.default !== undefined) continue
    const next = inputs.get(ref.name)
    if (next !== undefined) visit(context, inputs, next, [...path, { input, field: field.name }], done)
  }
  done.add(input.name)
}
