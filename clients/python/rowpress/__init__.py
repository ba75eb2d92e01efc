"""Client of Rowpress: fill PDFs from rows, import and export subscribers, push master data."""

from .archives import verify_archive
from .client import Rowpress
from .errors import RowpressError, WebhookVerificationError
from .version import VERSION as __version__
from .webhooks import verify_webhook

__all__ = [
    "Rowpress",
    "RowpressError",
    "WebhookVerificationError",
    "verify_archive",
    "verify_webhook",
    "__version__",
]
