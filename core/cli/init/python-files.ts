/** pyproject.toml of a new project whose schema is in Python, for editors and type checkers. svc itself does not read it. */
export const PYPROJECT = `# For editors and type checkers. \`svc compile\` needs no package from an index: svc contains the package that schema.py imports.
[tool.pyright]
include = ["*.py", "schema_parts"]
extraPaths = ["node_modules/svc/python"]

[tool.mypy]
files = ["schema.py"]
mypy_path = "node_modules/svc/python"
strict = true
disable_error_code = ["empty-body"]
`

/** Lines that .gitignore of such a project has in addition. */
export const PYTHON_GITIGNORE = `.venv/
__pycache__/
`

/** Section of README.md of such a project. */
export const PYTHON_README = `## Python

\`npx svc compile\` runs \`schema.py\` with Python 3.10 or newer: that of \`SVC_PYTHON\`, else of \`.venv\`, else \`python3\`. It needs no
\`pip install\`, because svc contains the package \`svc\` that \`schema.py\` imports; \`pyproject.toml\` tells editors and type checkers
where it is. An environment that has the package uses its own:

    python3 -m venv .venv
    .venv/bin/pip install ./node_modules/svc/python
    .venv/bin/python schema.py      # writes schema.json without Node

Functions that run in the server, such as middleware, are JavaScript: \`schema.py\` names their module.
`
