import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Bindings, Fault, type Library, type Prepared } from './library.ts'
import type { Value } from './protocol.ts'
import { installWasmLock } from './wasm-lock.ts'

/** The used part of `node-sqlite3-wasm`: its classes to open and prepare, and the functions of SQLite itself for everything else. */
interface WasmModule {
  readonly Database: new (file: string, options: { readonly readOnly: boolean }) => WasmDatabase
  // biome-ignore lint/suspicious/noExplicitAny: one for every signature
  cwrap(name: string, result: string, parameters: readonly string[]): (...values: any[]) => any
  _malloc(bytes: number): number
  _free(pointer: number): void
  _sqlite3_step(statement: number): number
  _sqlite3_reset(statement: number): number
  _sqlite3_clear_bindings(statement: number): number
  _sqlite3_finalize(statement: number): number
  _sqlite3_column_count(statement: number): number
  _sqlite3_column_type(statement: number, index: number): number
  _sqlite3_column_int64(statement: number, index: number): bigint
  _sqlite3_column_double(statement: number, index: number): number
  _sqlite3_column_text(statement: number, index: number): number
  _sqlite3_column_blob(statement: number, index: number): number
  _sqlite3_column_bytes(statement: number, index: number): number
  _sqlite3_bind_null(statement: number, index: number): number
  _sqlite3_bind_int64(statement: number, index: number, value: bigint): number
  _sqlite3_bind_double(statement: number, index: number, value: number): number
  _sqlite3_bind_text(statement: number, index: number, pointer: number, bytes: number, free: number): number
  _sqlite3_bind_blob(statement: number, index: number, pointer: number, bytes: number, free: number): number
}
interface WasmDatabase {
  readonly _ptr: number
  prepare(sql: string): { readonly _ptr: number }
  get(sql: string): Readonly<Record<string, unknown>> | null
  function(
    name: string,
    implementation: (...values: Value[]) => Value,
    options: { readonly deterministic: boolean },
  ): void
  close(): void
}

/** The types of Node do not include WebAssembly, which is in the types of browsers. */
interface WasmMemory {
  /** A new buffer each time the memory has grown. */
  readonly buffer: ArrayBuffer
}
interface WasmNamespace {
  Instance: new (module: unknown, imports: unknown) => { readonly exports: Readonly<Record<string, unknown>> }
  readonly Memory: new () => WasmMemory
  readonly RuntimeError: new () => Error
}

const ROW = 100
const DONE = 101
const INTEGER = 1
const FLOAT = 2
const TEXT = 3
const BLOB = 4
/** SQLite copies bound values. */
const TRANSIENT = -1

/** Result codes of failures that the library reports only as text. */
const RESULT_OF: Readonly<Record<string, number>> = {
  'database is locked': 5,
  'attempt to write a readonly database': 8,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'unable to open database file': 14,
  'file is not a database': 26,
}

/**
 * Opens a database file with the WebAssembly build of SQLite (`node-sqlite3-wasm`).
 * @param entry path of the package's main file
 * @throws Fault
 */
export function openWasmLibrary(file: string, entry: string, readOnly: boolean): Library {
  installWasmLock(`${file}.lock`)
  const { module, memory } = load(entry)
  const database = attempt(() => new module.Database(file, { readOnly }))
  const messageOf: (database: number) => string = module.cwrap('sqlite3_errmsg', 'string', ['number'])
  const tableOf: (statement: number, index: number) => string = module.cwrap('sqlite3_column_table_name', 'string', [
    'number',
    'number',
  ])
  const nameOf: (statement: number, index: number) => string = module.cwrap('sqlite3_column_name', 'string', [
    'number',
    'number',
  ])
  const placeOf: (statement: number, name: string) => number = module.cwrap('sqlite3_bind_parameter_index', 'number', [
    'number',
    'string',
  ])
  const read = (pointer: number, bytes: number): Buffer => Buffer.from(memory.buffer, pointer, bytes)

  function check(result: number): void {
    if (result !== 0) throw Fault.sqlite(result, messageOf(database._ptr))
  }

  /** Binds a value. @param place 1-based */
  function bind(statement: number, place: number, value: Value): void {
    if (value === null) check(module._sqlite3_bind_null(statement, place))
    else if (typeof value === 'bigint') check(module._sqlite3_bind_int64(statement, place, value))
    else if (typeof value === 'number') check(module._sqlite3_bind_double(statement, place, value))
    else {
      const isText = typeof value === 'string'
      const bytes = isText ? Buffer.from(value) : value
      const pointer = module._malloc(Math.max(1, bytes.length))
      if (pointer === 0) throw Fault.sqlite(7, 'out of memory')
      new Uint8Array(memory.buffer, pointer, bytes.length).set(bytes)
      const put = isText ? module._sqlite3_bind_text : module._sqlite3_bind_blob
      const result = put(statement, place, pointer, bytes.length, TRANSIENT)
      module._free(pointer)
      check(result)
    }
  }

  function readColumn(statement: number, index: number): Value {
    switch (module._sqlite3_column_type(statement, index)) {
      case INTEGER:
        return module._sqlite3_column_int64(statement, index)
      case FLOAT:
        return module._sqlite3_column_double(statement, index)
      case TEXT: {
        const pointer = module._sqlite3_column_text(statement, index)
        return read(pointer, module._sqlite3_column_bytes(statement, index)).toString('utf8')
      }
      case BLOB: {
        const pointer = module._sqlite3_column_blob(statement, index)
        return Uint8Array.from(read(pointer, module._sqlite3_column_bytes(statement, index)))
      }
      default:
        return null
    }
  }

  function prepare(sql: string): Prepared {
    const statement = attempt(() => database.prepare(sql))._ptr
    const columnNames = (): string[] =>
      Array.from({ length: module._sqlite3_column_count(statement) }, (_, i) => nameOf(statement, i))
    return {
      columnNames,
      columnTypes: () => columnNames().map((name, i) => declaredType(tableOf(statement, i), name)),
      start(bindings: Bindings) {
        attempt(() => module._sqlite3_reset(statement))
        module._sqlite3_clear_bindings(statement)
        const isList = Array.isArray(bindings)
        for (const [key, value] of Object.entries(bindings)) {
          const place = placeOf(statement, isList ? `?${Number(key) + 1}` : key)
          if (place > 0) bind(statement, place, value as Value)
        }
      },
      step() {
        const result = attempt(() => module._sqlite3_step(statement))
        if (result === ROW) {
          return Array.from({ length: module._sqlite3_column_count(statement) }, (_, i) => readColumn(statement, i))
        }
        const message = result === DONE ? '' : messageOf(database._ptr)
        module._sqlite3_reset(statement)
        if (result !== DONE) throw Fault.sqlite(result, message)
        return null
      },
      reset: () => void (broken ?? module._sqlite3_reset(statement)),
      finalize: () => void (broken ?? module._sqlite3_finalize(statement)),
    }
  }

  /** The declared type of a column, found by its name, since this build does not report the origin of a column. */
  function declaredType(table: string, column: string): string | null {
    if (table === '') return null
    const [quotedTable, quotedColumn] = [table, column].map((text) => `'${text.replaceAll("'", "''")}'`)
    const found = database.get(`SELECT type FROM pragma_table_xinfo(${quotedTable}) WHERE name = ${quotedColumn}`)
    return (found?.type as string | undefined) ?? null
  }

  return {
    prepare,
    define: (name, implementation, deterministic) => void database.function(name, implementation, { deterministic }),
    close: () => broken ?? database.close(),
  }
}

/**
 * Size of the stack. The default stack of the build suffices for a query of 60 levels. A deeper one overwrites SQLite's own
 * data without any error.
 */
const STACK_BYTES = 16 * 1_048_576

/** Aligns a stack pointer to a multiple of 16. */
function alignDown(address: number): number {
  return address - (address % 16)
}

/**
 * Loads the package, and captures the memory of its WebAssembly instance: the package returns texts only up to the first NUL,
 * and reads beyond the end of texts that are no valid UTF-8.
 */
function load(entry: string): { readonly module: WasmModule; readonly memory: WasmMemory } {
  const { WebAssembly: assembly } = globalThis as unknown as { readonly WebAssembly: WasmNamespace }
  const { Instance, Memory } = assembly
  let memory: WasmMemory | undefined
  let moveStack: ((top: number) => void) | undefined
  const nameOfMove = /\b_+emscripten_stack_restore=wasmExports\["(\w+)"\]/.exec(readFileSync(entry, 'utf8'))?.[1]
  class Caught extends Instance {
    constructor(module: unknown, imports: unknown) {
      super(module, imports)
      memory ??= Object.values(this.exports).find((value) => value instanceof Memory)
      moveStack ??= this.exports[nameOfMove ?? ''] as typeof moveStack
    }
  }
  assembly.Instance = Caught
  const module = createRequire(import.meta.url)(entry) as WasmModule
  assembly.Instance = Instance
  if (memory === undefined || moveStack === undefined) {
    throw Fault.sqlite(1, `${entry} is not the build of SQLite that svc knows.`)
  }
  moveStack(alignDown(module._malloc(STACK_BYTES) + STACK_BYTES))
  return { module, memory }
}

/** The error that stopped the library. It must not be called again, because its data may be inconsistent. */
let broken: Fault | null = null

function attempt<T>(work: () => T): T {
  if (broken !== null) throw broken
  try {
    return work()
  } catch (error) {
    const { message } = error as Error
    if (stopsTheCode(error)) {
      broken = new Fault({ kind: 'broken', result: 1, message: `the library stopped in the statement: ${message}` })
      throw broken
    }
    const result = message.startsWith('Could not open the database') ? 14 : (RESULT_OF[message] ?? 1)
    throw Fault.sqlite(result, message)
  }
}

/** Did WebAssembly itself fail, for lack of stack or memory? SQLite's own errors are result codes. */
function stopsTheCode(error: unknown): boolean {
  const { WebAssembly: assembly } = globalThis as unknown as { readonly WebAssembly: WasmNamespace }
  return error instanceof RangeError || error instanceof assembly.RuntimeError
}
