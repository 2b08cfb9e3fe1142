import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode } from 'graphql'
import { didYouMean, listNames, SvcError } from '../../../core/doors/plugin.ts'
import type { SchemaView } from '../schema/graphql-schema.ts'
import { type DocumentLimits, parseDocument } from './parse-document.ts'
import { type PreparedOperation, prepareOperation } from './prepare-operation.ts'

/** Memory of a document, and of its syntax tree per token, measured after a full garbage collection. */
const BYTES_PER_DOCUMENT = 1500
const BYTES_PER_TOKEN = 350

/**
 * A GraphQL document that passed validation. Each operation is prepared at its first request. It is a class, because V8
 * keeps the closures of object literals with getters alive.
 */
export class PreparedDocument {
  /** The syntax tree. */
  readonly document: DocumentNode
  readonly #view: SchemaView
  readonly #maxFields: number
  readonly #fragments = new Map<string, FragmentDefinitionNode>()
  readonly #definitions = new Map<string | null, OperationDefinitionNode>()
  /** Variables of all operations. */
  readonly #variables = new Set<string>()
  readonly #prepared = new Map<string | null, PreparedOperation>()
  readonly #onGrow: () => void
  #bytes: number

  /**
   * Parses and validates one document.
   * @param onGrow called when `bytes` has changed
   * @throws DocumentErrors PARSE_ERROR, GRAPHQL_VALIDATION_FAILED, VALIDATION_ERROR
   */
  constructor(text: string, view: SchemaView, limits: DocumentLimits, onGrow: () => void) {
    this.#view = view
    this.#maxFields = limits.maxTokens
    this.#onGrow = onGrow
    const document = parseDocument(text, view.schema, limits)
    this.document = document
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition)
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue
      this.#definitions.set(definition.name?.value ?? null, definition)
      for (const { variable } of definition.variableDefinitions ?? []) this.#variables.add(variable.name.value)
    }
    this.#bytes = BYTES_PER_DOCUMENT + text.length * 2
    for (let token = document.loc?.startToken ?? null; token !== null; token = token.next) {
      this.#bytes += BYTES_PER_TOKEN
    }
  }

  /** Approximate size in memory, with the templates and plans created so far. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Finds the operation of a request.
   * @throws SvcError REQUEST_ERROR when it does not exist or the name is missing
   */
  operation(name: string | null): PreparedOperation {
    const definitions = this.#definitions
    const key = name === null && definitions.size === 1 ? (definitions.keys().next().value ?? null) : name
    const definition = definitions.get(key)
    if (definition === undefined || (name === null && definitions.size > 1)) {
      throw notFound(name, [...definitions.keys()])
    }
    return this.#prepared.get(key) ?? this.#prepare(key, definition)
  }

  /** Compiles all operations. @throws SvcError GRAPHQL_VALIDATION_FAILED, REQUEST_ERROR for a document without operations */
  operations(): readonly PreparedOperation[] {
    if (this.#definitions.size === 0) throw notFound(null, [])
    return [...this.#definitions].map(([key, definition]) => this.#prepared.get(key) ?? this.#prepare(key, definition))
  }

  #prepare(key: string | null, definition: OperationDefinitionNode): PreparedOperation {
    checkRoot(definition, this.#view)
    const operation = prepareOperation({
      view: this.#view,
      operation: definition,
      fragments: this.#fragments,
      known: this.#variables,
      maxFields: this.#maxFields,
      onGrow: (bytes) => {
        this.#bytes += bytes
        this.#onGrow()
      },
    })
    this.#prepared.set(key, operation)
    return operation
  }
}

/** Rejects an operation without root type, whose fields GraphQL does not validate. */
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
