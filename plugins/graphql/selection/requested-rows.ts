import { type GraphQLOutputType, getNamedType, isAbstractType, type SelectionSetNode } from 'graphql'
import type { Location, VariableDeclaration } from '../../../core/doors/front.ts'
import { type ObjectSelection, type Operation, type OperationTemplate, SvcError } from '../../../core/doors/plugin.ts'
import type { RequestedRows } from '../extend/graphql-extension.ts'
import { buildSelection } from './build-selection.ts'
import type { SelectionContext } from './selection-context.ts'

/** The selection below a plugin's root field, prepared once per document. `with` adds the variables of a request. */
export interface RequestedSelection {
  with(variables: Operation['variables']): RequestedRows
}

/** Maximum number of cached templates per root field in a document. */
const MOST_TEMPLATES = 32

/**
 * Prepares the selection below a plugin's root field, for plugins that return rows of the schema's types.
 * @param type return type of the root field
 * @param sets selection sets of the field, to merge
 * @throws SvcError VALIDATION_ERROR when the selection is too large
 */
export function buildRequestedRows(
  context: SelectionContext,
  responseKey: string,
  location: Location | null,
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
): RequestedSelection {
  const { view, operation } = context
  const named = getNamedType(type)
  const members = isAbstractType(named) ? view.schema.getPossibleTypes(named) : [named]
  const selections = new Map<string, ObjectSelection>()
  context.countLargest(members, ({ name }) => {
    const model = view.model.types.get(name)
    if (model?.kind !== 'object') return
    selections.set(name, buildSelection(context, model, sets) as ObjectSelection)
  })
  const declared: readonly VariableDeclaration[] = [...context.variables.values()]
  const templates = new Map<string, OperationTemplate>()

  return {
    with: (variables) => ({
      responseKey,
      location,
      selectionOf: (typeName) => selections.get(typeName) ?? null,
      toOperation(key, make, more = {}) {
        let template = templates.get(key)
        if (template === undefined) {
          const { roots, variables: own = [] } = make()
          for (const { name } of own) if (!name.startsWith('@')) throw notOwn(name)
          template = {
            kind: 'query',
            name: operation.name?.value ?? null,
            roots,
            // All derived variables are known only after the whole document was built.
            variables: [...declared, ...context.derived, ...own].map(({ name, type, default: value }) => ({
              name,
              type,
              default: value,
            })),
            onPlanned: context.onPlanned,
          }
          if (templates.size >= MOST_TEMPLATES) templates.delete(templates.keys().next().value as string)
          templates.set(key, template)
        }
        return { template, variables: { ...variables, ...more } }
      },
    }),
  }
}

function notOwn(name: string): SvcError {
  return new SvcError('SVC_PLUGIN_INVALID', `A plugin declares the variable "${name}": its own begin with "@".`)
}
