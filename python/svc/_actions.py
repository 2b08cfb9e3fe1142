"""Actions of observers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Action = dict[str, Any]


def webhook(
    url: str | None = None,
    *,
    url_env: str | None = None,
    method: Literal["POST", "PUT", "PATCH", "DELETE"] | None = None,
    headers: Mapping[str, str] | None = None,
    body_template: str | None = None,
    secret_env: str | None = None,
) -> Action:
    """Calls a URL.

    Args:
        url: May contain ``{field}`` after the host.
        url_env: Environment variable that contains the URL, instead of ``url``.
        method: HTTP method of the request. Default ``POST``.
        headers: Values may contain ``{field}`` for a field of the row, and ``{NAME}`` for an environment variable.
        body_template: JSON template with ``{{field}}`` placeholders.
        secret_env: Environment variable with the secret that signs the request.
    """
    return _pruned(
        type="webhook",
        url=url,
        url_env=url_env,
        method=method,
        headers=None if headers is None else dict(headers),
        body_template=body_template,
        secret_env=secret_env,
    )


def chat(channel: str, message: str, *, url: str | None = None, url_env: str | None = None) -> Action:
    """Sends a message to a chat.

    Args:
        channel: Channel for the message; ``{field}`` placeholders are replaced, as in the message.
        message: The message.
        url: Incoming webhook of the chat. Default: ``[observers] chat_url``.
        url_env: Environment variable that contains the URL, instead of ``url``.
    """
    return _pruned(type="chat", channel=channel, message=message, url=url, url_env=url_env)


def email(to: str, subject: str, body: str, *, from_: str | None = None) -> Action:
    """Sends a plain-text e-mail.

    Args:
        to: Addresses, separated by commas; ``{field}`` placeholders are replaced, as in subject and body.
        subject: Subject of the message.
        body: Body of the message.
        from_: Sender. Default: ``[observers] smtp_from``.
    """
    action = _pruned(type="email", to=to, subject=subject, body=body)
    return action if from_ is None else {**action, "from": from_}


def _pruned(**action: Any) -> Action:
    return {key: value for key, value in action.items() if value is not None}
