import type { AuthoredArgument, AuthoredInputField } from '../../schema/authored.ts'
import { parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'

/** Reports deprecated arguments and input fields that are required: GraphQL clients reject a schema with one. */
export function checkDeprecations({ schema, report }: CompileContext): void {
  for (const input of schema.input_types ?? []) {
    for (const field of input.fields) {
      if (isNeeded(field)) report.fault('needed-deprecated', `${input.name}.${field.name} ${PROBLEM}`, field, input)
    }
  }
  for (const operation of [...(schema.queries ?? []), ...(schema.mutations ?? []), ...(schema.subscriptions ?? [])]) {
    for (const argument of operation.arguments ?? []) {
      if (!isNeeded(argument)) continue
      report.fault('needed-deprecated', `"${operation.name}", argument "${argument.name}" ${PROBLEM}`, operation)
    }
  }
}

const PROBLEM = 'is deprecated, and clients have to give it. Let it be null, or give it a default.'

function isNeeded({ type, deprecated, default: value }: AuthoredInputField | AuthoredArgument): boolean {
  return deprecated !== undefined && value === undefined && parseTypeRef(type)?.nullable === false
}
