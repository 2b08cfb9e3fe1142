import { type FieldNode, isNonNullType } from 'graphql'
import type { ArgumentNode, CallResult, ValueNode } from '../../../core/doors/front.ts'
import {
  type Exchange,
  isPromise,
  type MaybePromise,
  type RootSelection,
  type SvcError,
} from '../../../core/doors/plugin.ts'
import type { RowsAnswer, ValueRoot } from '../extend/graphql-extension.ts'
import type { ParsedRoot } from '../extend/parse-extension.ts'
import { buildArguments } from './build-values.ts'
import { subselections } from './collect-fields.ts'
import { buildProjection, type Projection, project } from './projection.ts'
import { buildRequestedRows, type RequestedSelection } from './requested-rows.ts'
import { locate, type SelectionContext } from './selection-context.ts'

type Variables = Readonly<Record<string, unknown>>

/**
 * Converts a selected root field of a plugin to a selection that runs the plugin's function for each request.
 * @param nodes the field in the document; several nodes if it is selected more than once
 */
export function buildCall(
  context: SelectionContext,
  responseKey: string,
  nodes: readonly FieldNode[],
  { guard, by, node: { name } }: ParsedRoot,
): RootSelection {
  const { view, operation } = context
  const field = view.schema.getRootType(operation.operation)?.getFields()[name.value]
  if (field === undefined) throw new Error(`${name.value} passed validation but is not in the schema`)
  const given = buildArguments(context, nodes[0]!.arguments, view.extensionShapes.arguments(field.args))
  const sets = subselections(nodes)
  const run =
    by.answer === undefined
      ? byValue(by.resolve, buildProjection(context, field.type, sets), responseKey)
      : byRows(by.answer, buildRequestedRows(context, responseKey, locate(nodes[0]!), field.type, sets))

  return {
    kind: 'literal',
    responseKey,
    json: 'null',
    call: {
      name: name.value,
      guard,
      nullable: !isNonNullType(field.type),
      location: locate(nodes[0]!),
      run: (exchange, variables) => run(exchange, readArguments(given, variables), variables),
    },
  }
}

type Answer = (exchange: Exchange, args: Variables, variables: Variables) => MaybePromise<CallResult>

function byValue(resolve: ValueRoot['resolve'], projection: Projection, responseKey: string): Answer {
  function finish(value: unknown): CallResult {
    const errors: SvcError[] = []
    const taken = project(value, projection, [responseKey], errors)
    return { text: taken === undefined ? null : JSON.stringify(taken), errors }
  }
  return (exchange, args) => {
    const value = resolve(exchange, args)
    return isPromise(value) ? value.then(finish) : finish(value)
  }
}

function byRows(answer: RowsAnswer['answer'], requested: RequestedSelection): Answer {
  return (exchange, args, variables) => answer(exchange, args, requested.with(variables))
}

/** Returns the values of arguments. An argument whose variable has no value has no key. */
function readArguments(given: readonly ArgumentNode[], variables: Variables): Variables {
  const args: Record<string, unknown> = {}
  for (const { name, value } of given) {
    const read = readValue(value, variables)
    if (read !== undefined) args[name] = read
  }
  return args
}

function readValue(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case 'constant':
      return node.value
    case 'variable':
      return variables[node.name]
    case 'list':
      return node.items.map((item) => readValue(item, variables) ?? null)
    case 'object': {
      const entries = node.fields.map(({ name, value }) => [name, readValue(value, variables)] as const)
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
    }
  }
}
