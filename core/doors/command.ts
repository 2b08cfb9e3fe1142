/** `'svc/command'`: for plugins that add a command, a compile part, or a check of `svc doctor`. */

// Keys of plugins, in the types of the authored schema.
import '../../presets/authored-keys.ts'

export type { Middleware, MiddlewareRequest } from '../authoring/middleware.ts'
export type { AfterMutation, BeforeMutation, HookContext } from '../authoring/mutation-hooks.ts'
export { isStaleSchema } from '../base/errors/from-database.ts'
export { type CommandArgs, type CommandIo, EXIT, type ExitCode } from '../cli/command/command.ts'
export { printJson } from '../cli/command/json-output.ts'
export { defineDoctorCheck } from '../cli/doctor/doctor-check.ts'
export { examineServer } from '../cli/doctor/examine-server.ts'
export { type Finding, failed, ok, skipped, warning } from '../cli/doctor/finding.ts'
export {
  type BootedService,
  type CommandHost,
  type CommandRunner,
  defineCommandRunner,
} from '../cli/plugins/command-runner.ts'
export { takeStdout } from '../cli/run/take-stdout.ts'
export { defineAfterCompile } from '../compiler/after-compile.ts'
export {
  type AddedElements,
  type CompilePart,
  defineCompilePart,
  type PartContext,
  type PartResult,
} from '../compiler/compile-part.ts'
export { type Contract, type ContractSource, defineContract } from '../compiler/contract.ts'
export { defineKeyCheck, type KeyCheck, type KeyCheckContext } from '../compiler/ground/key-check.ts'
export { defineKeyFacts, type KeyFacts } from '../compiler/ground/key-facts.ts'
export { defineSdlPrinter, type SdlSource } from '../compiler/sdl-printer.ts'
// Stars, because interfaces behind named re-exports cannot be augmented by `declare module`.
export type * from '../schema/authored.ts'
export type { AuthorFunction } from '../schema/model.ts'
export { compareCatalog, type DatabaseNeeds, needsOf } from '../service/drift/compare-catalog.ts'
export { describeDifference } from '../service/drift/difference.ts'
