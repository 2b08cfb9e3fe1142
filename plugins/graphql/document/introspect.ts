import {
  type DocumentNode,
  executeSync,
  type FieldNode,
  type FragmentDefinitionNode,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import type { SchemaView } from '../schema/graphql-schema.ts'
import { DocumentErrors, fromGraphQLError } from './document-errors.ts'
import { writeIntrospection } from './write-introspection.ts'

/** The fields `__schema` and `__type` of an operation, which are executed separately from its other fields. */
export interface Introspection {
  /** `true` if the result depends on variables, so that it is computed for each request instead of once. */
  readonly usesVariables: boolean
  /**
   * Executes the introspection fields.
   * @returns the JSON text of each field by response key
   * @throws DocumentErrors BAD_USER_INPUT
   */
  run(variables: Readonly<Record<string, unknown>>): ReadonlyMap<string, string>
}

export function prepareIntrospection(
  view: SchemaView,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  fields: ReadonlyMap<string, readonly FieldNode[]>,
): Introspection {
  const selections = [...fields.values()].flat()
  const parts = reachable(selections, fragments)
  const definitions = (operation.variableDefinitions ?? []).filter(({ variable }) =>
    parts.variables.has(variable.name.value),
  )

  /** @returns `null` when the result has errors */
  function tryToWrite(variables: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> | null {
    const schema = view.full()
    try {
      const { coerced } = getVariableValues(schema, definitions, variables)
      return coerced === undefined ? null : writeIntrospection({ schema, fragments, variables: coerced }, fields)
    } catch {
      return null
    }
  }

  return {
    usesVariables: parts.variables.size > 0,
    run(variables) {
      const written = tryToWrite(variables)
      if (written !== null) return written
      const document: DocumentNode = {
        kind: Kind.DOCUMENT,
        definitions: [
          {
            ...operation,
            directives: [],
            variableDefinitions: definitions,
            selectionSet: { kind: Kind.SELECTION_SET, selections },
          },
          ...parts.fragments,
        ],
      }
      const { data, errors } = executeSync({ schema: view.full(), document, variableValues: variables })
      if (errors !== undefined)
        throw new DocumentErrors(errors.map((error) => fromGraphQLError('BAD_USER_INPUT', error)))
      return new Map([...fields.keys()].map((key) => [key, JSON.stringify(data?.[key] ?? null)]))
    },
  }
}

/** Returns the fragments and variables that the fields use, directly or through fragments. */
function reachable(
  fields: readonly FieldNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): { readonly fragments: readonly FragmentDefinitionNode[]; readonly variables: ReadonlySet<string> } {
  const found = new Map<string, FragmentDefinitionNode>()
  const variables = new Set<string>()
  const queue: (FieldNode | FragmentDefinitionNode)[] = [...fields]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    visit(node, {
      enter(inner) {
        if (inner.kind === Kind.VARIABLE) variables.add(inner.name.value)
        if (inner.kind !== Kind.FRAGMENT_SPREAD) return
        const fragment = fragments.get(inner.name.value)
        if (fragment === undefined || found.has(inner.name.value)) return
        found.set(inner.name.value, fragment)
        queue.push(fragment)
      },
    })
  }
  return { fragments: [...found.values()], variables }
}
