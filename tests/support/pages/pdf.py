"""Small PDF documents, written by hand."""


def encrypted_pdf(text: str) -> bytes:
    """The same document, which wants a password that nobody knows."""
    lock = (
        f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'00' * 32}> "
        f"/U <{'11' * 32}> >> /ID [<{'22' * 16}> <{'22' * 16}>]"
    ).encode()
    return pdf(text).replace(b"/Root 1 0 R", b"/Root 1 0 R " + lock)


def pdf(text: str) -> bytes:
    """A document of one page that shows *text* (ASCII); a blank one without text."""
    stream = f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET" if text else ""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 200] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>"
        ),
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return (
        f"{body}xref\n0 6\n0000000000 65535 f \n{table}"
        f"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF"
    ).encode()
