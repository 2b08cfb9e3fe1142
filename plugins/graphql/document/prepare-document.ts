import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode } from 'graphql'
import { didYouMean, listNames, SvcError } from '../../../core/index.ts'
import type { SchemaView } from '../schema/graphql-schema.ts'
import { type DocumentLimits, parseDocument } from './parse-document.ts'
import { type PreparedOperation, prepareOperation } from './prepare-operation.ts'

/** A document that passed validation, with its operations compiled when first asked for. */
export interface PreparedDocument {
  /** The syntax tree. */
  readonly document: DocumentNode
  /**
   * The operation that a request means.
   * @throws SvcError REQUEST_ERROR when it cannot be picked
   */
  operation(name: string | null): PreparedOperation
  /** Estimate of the memory it holds. Grows as templates are made. */
  readonly bytes: number
}

/** Syntax tree and tokens of a document, per token: measured 300, rounded up. */
const BYTES_PER_TOKEN = 400

/**
 * Parses, validates and compiles one document.
 * @param onGrow called whenever `bytes` has grown
 * @throws DocumentErrors PARSE_ERROR, GRAPHQL_VALIDATION_FAILED, VALIDATION_ERROR
 */
export function prepareDocument(
  text: string,
  view: SchemaView,
  limits: DocumentLimits,
  onGrow: () => void,
): PreparedDocument {
  const document = parseDocument(text, view.schema, limits)
  const fragments = new Map<string, FragmentDefinitionNode>()
  const operations = new Map<string | null, OperationDefinitionNode>()
  const known = new Set<string>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    operations.set(definition.name?.value ?? null, definition)
    for (const variable of definition.variableDefinitions ?? []) known.add(variable.variable.name.value)
  }
  const prepared = new Map<OperationDefinitionNode, PreparedOperation>()
  const only = operations.size === 1 ? [...operations.values()][0]! : null
  let bytes = text.length * 2
  for (let token = document.loc?.startToken ?? null; token !== null; token = token.next) bytes += BYTES_PER_TOKEN

  return {
    document,
    get bytes() {
      return bytes
    },
    operation(name) {
      const definition = name === null ? only : operations.get(name)
      if (definition === null || definition === undefined) throw notFound(name, [...operations.keys()])
      let operation = prepared.get(definition)
      if (operation === undefined) {
        checkRoot(definition, view)
        operation = prepareOperation({
          view,
          operation: definition,
          fragments,
          known,
          maxFields: limits.maxTokens,
          onGrow(more) {
            bytes += more
            onGrow()
          },
        })
        prepared.set(definition, operation)
      }
      return operation
    },
  }
}

/** Validation looks at no field of a root type that does not exist. */
function checkRoot(definition: OperationDefinitionNode, view: SchemaView): void {
  if (view.schema.getRootType(definition.operation) !== undefined) return
  throw new SvcError('GRAPHQL_VALIDATION_FAILED', `The schema has no ${definition.operation} operations.`)
}

function notFound(name: string | null, names: readonly (string | null)[]): SvcError {
  const known = names.filter((each) => each !== null)
  if (known.length === 0) {
    const message =
      names.length === 0
        ? 'The document holds no operation.'
        : `The document has one operation, without a name; operationName asks for "${name}".`
    return new SvcError('REQUEST_ERROR', message)
  }
  const list = `Its operations: ${listNames(known)}.`
  if (name === null)
    return new SvcError('REQUEST_ERROR', `The document has several operations: operationName must say which. ${list}`)
  return new SvcError('REQUEST_ERROR', `The document has no operation "${name}".${didYouMean(name, known)} ${list}`)
}
