import { didYouMean, listNames } from '../base/util/nearest.ts'
import { type CallerNames, isAbsent, isNullTest, neededPaths, readsCaller } from './absence.ts'
import { calculate } from './decimal.ts'
import { ExpressionFailure, ExpressionFault } from './expression-fault.ts'
import { contains, type ExpressionFunction, FUNCTIONS } from './functions.ts'
import { parseExpression } from './parse-expression.ts'
import { compilePattern, type PatternWork } from './pattern/pattern.ts'
import type { ExpressionNode } from './syntax.ts'
import { areEqual, areSame, compareValues, numberOf, type Value } from './value.ts'

/** The names and functions that an expression can use. `Of` is the data that it is evaluated with. */
export interface ExpressionScope<Of> {
  /**
   * Resolves the first name of a path (`user.name`) to a function that reads its value from the data.
   * @param rest keys after the name. A scope that knows them may reject them by throwing an {@link ExpressionFault}
   * @returns `null`: the name is unknown
   */
  readonly variable: (name: string, rest: readonly string[]) => ((of: Of) => Value) | null
  /** Returns the names that expressions can use, for suggestions in messages. */
  readonly names: () => Iterable<string>
  /** Returns the steps that all matches of regular expressions may still take together. Absent: no common limit. */
  readonly patternWork?: () => PatternWork
  /** Functions of this scope by name, in addition to the built-in ones. */
  readonly functions?: ReadonlyMap<string, ExpressionFunction>
  /** Names of data about the caller, such as claims. An absent value of them is equal to no other value. */
  readonly caller?: CallerNames
}

export interface Expression<Of> {
  readonly source: string
  /**
   * Evaluates the expression as a condition. `null` counts as false.
   * @param now time of `now()` and `today()` in milliseconds since 1970; default: the current time
   * @throws ExpressionFailure when it cannot be evaluated: deny access
   */
  test(of: Of, now?: number): boolean
}

type Evaluate<Of> = (of: Of, now: number) => Value
type Test<Of> = (of: Of, now: number) => boolean

/**
 * Compiles a condition (docs/guides/validate-input.md#conditions) with the names and functions of the scope.
 * @throws ExpressionFault with the column: a syntax error, an unknown name, a function with the wrong arguments
 */
export function compileExpression<Of>(source: string, scope: ExpressionScope<Of>): Expression<Of> {
  const test = compileTest(parseExpression(source), scope)
  return { source, test: (of, now = Date.now()) => test(of, now) }
}

/**
 * Compiles a part of an expression to a test. `and`, `or` and `not` are resolved by De Morgan's laws, so that a test of
 * an absent claim is false even inside `not`.
 * @param negated `true`: compiles its negation
 * @throws ExpressionFault as {@link compileExpression}
 */
export function compileTest<Of>(node: ExpressionNode, scope: ExpressionScope<Of>, negated = false): Test<Of> {
  switch (node.kind) {
    case 'not':
      return compileTest(node.of, scope, !negated)
    case 'and':
    case 'or': {
      const left = compileTest(node.left, scope, negated)
      const right = compileTest(node.right, scope, negated)
      if ((node.kind === 'and') !== negated) return (of, now) => left(of, now) && right(of, now)
      return (of, now) => left(of, now) || right(of, now)
    }
  }
  const value = compile(node, scope)
  const needed = neededPaths(node, scope.caller).map(({ names, at }) => compilePath(names, at, scope))
  return (of, now) => !needed.some((read) => isAbsent(read(of, now))) && truth(value(of, now)) !== negated
}

/**
 * Compiles a part of an expression to a function that returns its value for the data `of` and the time `now` (ms).
 * @throws ExpressionFault as {@link compileExpression}
 */
export function compileValue<Of>(node: ExpressionNode, scope: ExpressionScope<Of>): (of: Of, now: number) => Value {
  return compile(node, scope)
}

/** Converts the value of an expression to a boolean; `null` is false. @throws ExpressionFailure for any other type */
export function truth(value: Value): boolean {
  if (typeof value === 'boolean') return value
  if (value === null || value === undefined) return false
  throw new ExpressionFailure('a condition is neither true nor false')
}

function compile<Of>(node: ExpressionNode, scope: ExpressionScope<Of>): Evaluate<Of> {
  switch (node.kind) {
    case 'constant':
      return () => node.value
    case 'path':
      return compilePath(node.names, node.at, scope)
    case 'list': {
      const items = node.items.map((item) => compile(item, scope))
      return (of, now) => items.map((item) => item(of, now))
    }
    case 'pattern':
      throw new ExpressionFault('a regular expression stands as the second argument of matches()', node.at)
    case 'not':
    case 'and':
    case 'or':
      return compileTest(node, scope)
    case 'negative':
      return arithmetic('-', () => ZERO, compile(node.of, scope))
    case 'arithmetic':
      return arithmetic(node.operator, compile(node.left, scope), compile(node.right, scope))
    case 'compare':
      return compileComparison(node, scope)
    case 'call':
      return compileCall(node, scope)
  }
}

const ZERO = { digits: 0n, scale: 0 }

function arithmetic<Of>(operator: '+' | '-' | '*' | '/' | '%', left: Evaluate<Of>, right: Evaluate<Of>): Evaluate<Of> {
  return (of, now) => {
    const a = left(of, now)
    const b = right(of, now)
    if (isAbsent(a) || isAbsent(b)) return null
    const first = numberOf(a)
    const second = numberOf(b)
    if (first === null || second === null) throw new ExpressionFailure(`"${operator}" wants numbers`)
    const result = calculate(operator, first, second)
    if (result === null) throw new ExpressionFailure(`"${operator}" has no result`)
    return result
  }
}

function compileComparison<Of>(
  node: Extract<ExpressionNode, { kind: 'compare' }>,
  scope: ExpressionScope<Of>,
): Evaluate<Of> {
  const left = compile(node.left, scope)
  const right = compile(node.right, scope)
  const ordered =
    (holds: (order: number) => boolean): Evaluate<Of> =>
    (of, now) => {
      const order = compareValues(left(of, now), right(of, now))
      return order !== null && holds(order)
    }
  const equal = readsCaller(node, scope.caller) && !isNullTest(node) ? areSame : areEqual
  switch (node.operator) {
    case '==':
      return (of, now) => equal(left(of, now), right(of, now))
    case '!=':
      return (of, now) => !equal(left(of, now), right(of, now))
    case '<':
      return ordered((order) => order < 0)
    case '<=':
      return ordered((order) => order <= 0)
    case '>':
      return ordered((order) => order > 0)
    case '>=':
      return ordered((order) => order >= 0)
    case 'in':
      return (of, now) => contains(right(of, now), left(of, now), equal)
  }
}

function compilePath<Of>(names: readonly string[], at: number, scope: ExpressionScope<Of>): Evaluate<Of> {
  const [first, ...rest] = names as [string, ...string[]]
  const read = scope.variable(first, rest)
  if (read === null) {
    const known = [...scope.names()]
    const hint = didYouMean(first, known) || ` There is: ${listNames(known)}.`
    throw new ExpressionFault(`there is no "${first}" here.${hint}`, at)
  }
  return (of) => {
    let value = read(of)
    for (const name of rest) value = member(value, name)
    return value
  }
}

/** Reads a member of an object: only own properties, never the prototype. */
function member(value: Value, name: string): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return null
  return (value as Record<string, Value>)[name]
}

function compileCall<Of>(node: Extract<ExpressionNode, { kind: 'call' }>, scope: ExpressionScope<Of>): Evaluate<Of> {
  const { name, at, receiver, args } = node
  if (name === 'matches' && receiver === null) return compileMatches(node, scope)
  const equal = readsCaller(node, scope.caller) ? areSame : areEqual
  const known = scope.functions?.get(name) ?? FUNCTIONS.get(name)
  if (known === undefined) {
    const names = ['matches', ...FUNCTIONS.keys(), ...(scope.functions?.keys() ?? [])]
    const hint = didYouMean(name, names) || ` There is: ${listNames(names)}.`
    throw new ExpressionFault(`there is no function "${name}".${hint}`, at)
  }
  const given = [
    ...(receiver === null ? [] : [compilePath(receiver, at, scope)]),
    ...args.map((arg) => compile(arg, scope)),
  ]
  checkCount(name, given.length, known, at)
  const { call } = known
  return (of, now) =>
    call(
      given.map((arg) => arg(of, now)),
      now,
      equal,
    )
}

function checkCount(
  name: string,
  given: number,
  { least, most }: Pick<ExpressionFunction, 'least' | 'most'>,
  at: number,
): void {
  if (given >= least && given <= most) return
  const wanted = least === most ? String(least) : `${least} or ${most}`
  throw new ExpressionFault(`${name}() wants ${wanted} ${most === 1 ? 'value' : 'values'}, got ${given}`, at)
}

function compileMatches<Of>(
  { args, at }: Extract<ExpressionNode, { kind: 'call' }>,
  scope: ExpressionScope<Of>,
): Evaluate<Of> {
  checkCount('matches', args.length, { least: 2, most: 2 }, at)
  const [of, by] = args as [ExpressionNode, ExpressionNode]
  const source = by.kind === 'pattern' ? by.source : by.kind === 'constant' ? by.value : null
  // A pattern that comes with the request could not be checked before.
  if (typeof source !== 'string') {
    throw new ExpressionFault('matches() wants a regular expression that stands in the expression: /^[A-Z]+$/', by.at)
  }
  const pattern = patternAt(source, by.at)
  const value = compile(of, scope)
  return (given, now) => {
    const text = value(given, now)
    if (isAbsent(text)) return false
    if (typeof text !== 'string') throw new ExpressionFailure('matches() wants a text')
    try {
      return pattern.test(text, scope.patternWork?.())
    } catch (error) {
      throw new ExpressionFailure((error as Error).message)
    }
  }
}

function patternAt(source: string, at: number): ReturnType<typeof compilePattern> {
  try {
    return compilePattern(source)
  } catch (error) {
    throw new ExpressionFault(`the regular expression ${(error as Error).message}`, at)
  }
}
