import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { ROOT } from '../repo/source-files.ts'

/**
 * Compiles the plugins of this folder, which are written against the entries of the plugin API. The plugins state the exact
 * types that they get, and `@ts-expect-error` marks code that must not compile. Each widening below must be noticed.
 */
const FIXTURES = ['authoring', 'plugin', 'front', 'driver', 'command'] as const
type Fixture = (typeof FIXTURES)[number]

interface Widening {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly noticedBy: Fixture
}

const WIDENINGS: readonly Widening[] = [
  {
    name: 'a hook of any stage',
    file: 'core/contract/scope.ts',
    from: 'on<S extends Stage>(stage: S, handler: Handler<S>,',
    to: 'on<S extends Stage>(stage: S | string, handler: Handler<S>,',
    noticedBy: 'plugin',
  },
  {
    name: 'a handler with any payload',
    file: 'core/contract/stages.ts',
    from: "export type Handler<S extends Stage> = Stages[S]['handler']",
    to: "export type Handler<S extends Stage> = S extends 'afterCommit' ? (...args: any[]) => any : Stages[S]['handler']",
    noticedBy: 'plugin',
  },
  {
    name: 'an exchange that is an HTTP exchange or any other object',
    file: 'core/contract/service-stages.ts',
    from: "authenticate: { kind: 'first'; handler: (ctx: Exchange)",
    to: "authenticate: { kind: 'first'; handler: (ctx: Exchange | object)",
    noticedBy: 'plugin',
  },
  {
    name: 'a configuration with any section',
    file: 'core/contract/config.ts',
    from: 'export interface Config {',
    to: 'export interface Config {\n  readonly [section: string]: unknown',
    noticedBy: 'plugin',
  },
  {
    name: 'values of other plugins under any key',
    file: 'core/contract/scope.ts',
    from: 'provide<K extends keyof Provided & string>(key: K, value: Provided[K]): void',
    to: 'provide(key: string, value: unknown): void',
    noticedBy: 'plugin',
  },
  {
    name: 'values of other plugins without a type',
    file: 'core/contract/scope.ts',
    from: 'use<K extends keyof Provided & string>(key: K): Provided[K]',
    to: 'use(key: string): any',
    noticedBy: 'plugin',
  },
  {
    name: 'options without a type',
    file: 'core/contract/plugin.ts',
    from: 'readonly setup: (scope: Scope, options: Options)',
    to: 'readonly setup: (scope: Scope, options: any)',
    noticedBy: 'plugin',
  },
  {
    name: 'a stage of another kind',
    file: 'core/contract/scope.ts',
    from: "kind: Stages[S]['kind']): StageHandle<S>",
    to: 'kind: string): StageHandle<S>',
    noticedBy: 'plugin',
  },
  {
    name: 'an engine that runs documents',
    file: 'core/contract/engine.ts',
    from: '  run(exchange: Exchange, operation: Operation): MaybePromise<Result>',
    to: '  run(exchange: Exchange, operation: Operation | string): MaybePromise<Result>',
    noticedBy: 'front',
  },
  {
    name: 'an operation that hooks may change',
    file: 'core/contract/operation.ts',
    from: 'readonly roots: ',
    to: 'roots: ',
    noticedBy: 'front',
  },
  {
    name: 'a session that may be missing',
    file: 'core/contract/database.ts',
    from: 'transaction<T>(work: (session: Session) => Promise<T>',
    to: 'transaction<T>(work: (session: Session | null) => Promise<T>',
    noticedBy: 'driver',
  },
  {
    name: 'SQL made of any text',
    file: 'core/engine/sql/fragment.ts',
    from: 'export function literal(',
    to: 'export declare function integer(value: string | number): SqlFragment\nexport function literal(',
    noticedBy: 'driver',
  },
  {
    name: 'a command with any exit code',
    file: 'core/cli/command/command.ts',
    from: 'export type ExitCode = (typeof EXIT)[keyof typeof EXIT]',
    to: 'export type ExitCode = number',
    noticedBy: 'command',
  },
  {
    name: 'a compile part with options of any type',
    file: 'core/compiler/compile-part.ts',
    from: '  readonly options: Options\n',
    to: '  readonly options: any\n',
    noticedBy: 'command',
  },
  {
    name: 'an option of a plugin with a value of any type',
    file: 'plugins/response-cache/schema-keys.ts',
    from: 'readonly cacheTtl?: number',
    to: 'readonly cacheTtl?: any',
    noticedBy: 'authoring',
  },
]

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
const options = { ...ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options, noEmit: true }
const fixtures = FIXTURES.map((name) => join(ROOT, 'test/types', `${name}.ts`))
const sources = new Map<string, ts.SourceFile | undefined>()

/** Compiles the fixtures. Files other than the replaced one are parsed once. */
function compile(replaced?: { readonly path: string; readonly text: string }): ts.Program {
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getSourceFile = (path, version) => {
    if (path === replaced?.path) return ts.createSourceFile(path, replaced.text, version)
    if (!sources.has(path)) sources.set(path, read(path, version))
    return sources.get(path)
  }
  return ts.createProgram({ rootNames: fixtures, options, host })
}

function faultsOf(program: ts.Program, fixture: Fixture): string[] {
  const file = program.getSourceFile(fixtures[FIXTURES.indexOf(fixture)]!)
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
    ({ start = 0, messageText }) =>
      `line ${file!.getLineAndCharacterOfPosition(start).line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
}

t.setTimeout(120_000)

t.test('the plugins compile, and code that is marked does not', async (t) => {
  const program = compile()
  for (const fixture of FIXTURES) t.same(faultsOf(program, fixture), [], fixture)
})

for (const { name, file, from, to, noticedBy } of WIDENINGS) {
  t.test(`the check notices ${name}`, async (t) => {
    const path = join(ROOT, file)
    const text = readFileSync(path, 'utf8')
    t.equal(text.split(from).length, 2, `${file} contains the text once`)
    t.not(faultsOf(compile({ path, text: text.replace(from, to) }), noticedBy).length, 0)
  })
}
