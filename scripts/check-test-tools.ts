/**
 * Before `npm run types`: the type check reads all tests, and some of them import the clients and validators of test/package.json.
 * Ends with 1 and the command to run when these are not installed.
 */
import { missingTools } from './tests/test-tools.ts'

const missing = missingTools()
if (missing.length > 0) {
  process.stderr.write(
    `The type check needs the packages of test/package.json. Run: npm run tools (missing: ${missing.join(', ')})\n`,
  )
  process.exitCode = 1
}
