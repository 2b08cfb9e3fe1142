import { isSecretKey } from '../../base/util/redact-text.ts'

/** Variables that would change how the interpreter runs the module, or the form of its answer. */
const OWN = /^(?:SVC_SCHEMA_\w+|PYTHON(?:INSPECT|DONTWRITEBYTECODE|IOENCODING|UNBUFFERED|BREAKPOINT))$/
/** URL with a password. */
const HAS_PASSWORD = /:\/\/[^/?#\s]*:[^/?#\s]*@/

/**
 * Returns the environment of a Python schema module: that of svc without secrets, which a schema does not need. Secrets
 * are `DATABASE_URL`, variables whose names suggest a secret, and URLs with a password.
 * @param env environment of svc
 * @param output path that the module writes schema.json to
 */
export function pythonEnvironment(env: NodeJS.ProcessEnv, output: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name, value = '']) =>
      !OWN.test(name) && name !== 'DATABASE_URL' && !isSecretKey(name) && !HAS_PASSWORD.test(value),
  )
  return {
    ...Object.fromEntries(kept),
    SVC_SCHEMA_OUT: output,
    SVC_SCHEMA_PLACES: '1',
    SVC_SCHEMA_ERRORS: 'json',
    // A module that changes twice in a second must not be read from a cache, and --check leaves no files.
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONIOENCODING: 'utf-8',
    PYTHONUNBUFFERED: '1',
  }
}
