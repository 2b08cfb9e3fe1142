import type {
  AuthoredArgument,
  AuthoredMutation,
  AuthoredObserver,
  AuthoredQuery,
  AuthoredSchema,
  AuthoredSubscription,
} from '../../schema/authored.ts'
import { printCall, printKey, printMember, printObject, printText, TYPESCRIPT } from './code.ts'
import {
  ARGUMENT_KEYS,
  ARROW_QUERY_KEYS,
  MUTATION_KEYS,
  OBSERVER_KEYS,
  type OptionKeys,
  printOptions,
  QUERY_KEYS,
  SUBSCRIPTION_KEYS,
} from './print-options.ts'
import type { Scope } from './scope.ts'
import type { Entry } from './syntax.ts'
import { unprintable } from './unprintable.ts'

type Operation = AuthoredQuery | AuthoredMutation | AuthoredSubscription

interface Printed {
  readonly word: string
  readonly name: string
  /** Type of the result; `null`: it has none. */
  readonly source: string | null
  readonly options: readonly Entry[]
}

/**
 * Returns the source of the operations and observers of a schema: a class with a member for each, or function calls if
 * their names cannot be members of a class.
 * @param className name of that class
 */
export function printOperations(scope: Scope, schema: AuthoredSchema, className: string): readonly string[] {
  const groups = [
    (schema.queries ?? []).map((query) =>
      query.dataplane === 'arrow'
        ? printOperation(scope, 'arrowQuery', query, ARROW_QUERY_KEYS)
        : printOperation(scope, 'query', query, QUERY_KEYS),
    ),
    (schema.mutations ?? []).map((one) => printOperation(scope, 'mutation', one, MUTATION_KEYS)),
    (schema.subscriptions ?? []).map((one) => printOperation(scope, 'subscription', one, SUBSCRIPTION_KEYS)),
    (schema.observers ?? []).map((one) => printObserver(scope, one)),
  ].filter((group) => group.length > 0)
  const all = groups.flat()
  if (all.length === 0) return []
  const names = all.map(({ name }) => name)
  // The members of a class have different names, and none is its constructor.
  if (new Set(names).size < names.length || names.includes('constructor')) return all.map(printAsCall)
  const body = groups.map((group) => group.map(printAsMember).join('\n')).join('\n\n')
  return [`export class ${className} {\n${body}\n}`]
}

function printAsCall({ word, name, source, options }: Printed): string {
  return printCall(word, [printText(name), ...(source === null ? [] : [source])], options)
}

function printAsMember({ word, name, source, options }: Printed): string {
  const member = `${printKey(name)}!: unknown`
  if (source !== null) return printMember(word, source, options, member)
  return `  @${printCall(word, [], options, '  ')}\n  ${member}`
}

function printOperation(scope: Scope, word: string, operation: Operation, keys: OptionKeys): Printed {
  const subject = `The ${word} ${operation.name}`
  const options = printOptions(TYPESCRIPT, operation, keys, subject)
  const args = operation.arguments ?? []
  if (operation.arguments !== undefined) {
    const names = args.map(({ name }) => name)
    if (new Set(names).size < names.length) throw unprintable(subject, 'two arguments have the same name')
    const entries = args.map((argument): Entry => [argument.name, printArgument(scope, argument, subject)])
    options.push(['args', printObject(entries)])
  }
  return { word: scope.use(word), name: operation.name, source: scope.printType(operation.type, subject), options }
}

function printArgument(scope: Scope, argument: AuthoredArgument, subject: string): string {
  const own = `${subject}, argument ${argument.name},`
  const source = scope.printType(argument.type, own)
  const options = printOptions(TYPESCRIPT, argument, ARGUMENT_KEYS, own, false)
  return options.length === 0 ? source : printObject([['type', source], ...options])
}

function printObserver(scope: Scope, observer: AuthoredObserver): Printed {
  const options = printOptions(TYPESCRIPT, observer, OBSERVER_KEYS, `The observer ${observer.name}`, false)
  return { word: scope.use('observer'), name: observer.name, source: null, options }
}
