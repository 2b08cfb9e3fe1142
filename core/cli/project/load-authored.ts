import { type LoadedSchema, loadSchema } from '../../compiler/load.ts'
import type { CommandIo } from '../command/command.ts'
import type { Project } from './load-project.ts'

/**
 * Loads the schema of a project as its configuration says. What a Python module prints goes to the standard error of
 * the command.
 * @param input absolute path of the schema
 * @throws SvcError of {@link loadSchema}
 */
export function loadAuthored(project: Project, input: string, io: Pick<CommandIo, 'stderr'>): Promise<LoadedSchema> {
  const { python: interpreter, python_timeout_ms: timeoutMs } = project.config.svc
  return loadSchema(input, {
    baseDir: project.baseDir,
    python: { timeoutMs, print: (text) => io.stderr(text), ...(interpreter === undefined ? {} : { interpreter }) },
  })
}
